// A form with data-passkey sends what the browser says about a passkey: "create" makes one, "get" signs with one. The
// question of the server is in data-question (WebAuthn as JSON: bytes are base64url); the answer goes into a hidden field.

const form = document.querySelector("form[data-passkey]");

if (form && window.PublicKeyCredential) {
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
  const publicKey = { ...question, challenge: bytes(question.challenge) };
  if (question.user) publicKey.user = { ...question.user, id: bytes(question.user.id) };
  for (const list of ["allowCredentials", "excludeCredentials"]) {
    if (question[list]) publicKey[list] = question[list].map((one) => ({ ...one, id: bytes(one.id) }));
  }
  const { id, type, response } = await navigator.credentials[ceremony]({ publicKey });
  const parts = ceremony === "create" ? ["attestationObject"] : ["authenticatorData", "signature"];
  const said = Object.fromEntries(["clientDataJSON", ...parts].map((part) => [part, text(response[part])]));
  return { id, rawId: id, type, response: said };
}

function bytes(base64url) {
  const base64 = base64url.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

function text(buffer) {
  const letters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
