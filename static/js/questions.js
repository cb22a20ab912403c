// How many questions about unusual results are open, said at the top of result entry too.

export function countQuestions(words) {
  const count = () => {
    const link = document.getElementById("to-questions");
    const questions = document.querySelectorAll("#results-checks .question").length;
    if (!link) return;
    link.hidden = questions === 0;
    link.textContent = questions === 1 ? words.question : words.questions.replace("%n", questions);
  };
  count();
  document.addEventListener("htmx:afterSettle", count);
}
