// A form with data-passkey sends what the browser says about a passkey: "create" makes one, "get"
// signs with one. The question of the server is in data-question (WebAuthn as JSON: bytes are
// base64url); the answer goes into a hidden field.

const form = document.querySelector("form[data-passkey]");

if (form && window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
  form.hidden = false;
  form.querySelector("button").focus();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    show(null);
    try {
      form.elements.answer.value = JSON.stringify(await answered(form.dataset.passkey, JSON.parse(form.dataset.question)));
      form.submit();
    } catch (error) {
      button.disabled = false;
      show(error.name === "InvalidStateError" ? "[data-passkey-known]" : "[data-passkey-failed]");
    }
  });
} else if (form) {
  document.querySelector("[data-no-passkeys]").hidden = false;
}

/** Show one of the two sentences about a failure, or none. */
function show(which) {
  for (const sentence of form.querySelectorAll(".notice")) sentence.hidden = !(which && sentence.matches(which));
}

/** Ask the browser, and return its answer as the server reads it. */
async function answered(ceremony, question) {
  const parse = ceremony === "create" ? "parseCreationOptionsFromJSON" : "parseRequestOptionsFromJSON";
  const credential = await navigator.credentials[ceremony]({ publicKey: PublicKeyCredential[parse](question) });
  return credential.toJSON();
}
