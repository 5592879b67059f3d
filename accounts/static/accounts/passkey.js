"use strict";
// Creates a passkey or logs in with one. The credential of the browser is sent in the form around the button.

(() => {
  const place = document.querySelector("[data-passkey]");
  if (!place) return;
  const form = place.closest("form");
  const button = place.querySelector("button");
  const status = place.querySelector("[role=status]");
  const creating = place.dataset.passkey === "create";

  place.hidden = false;
  if (!window.PublicKeyCredential || !navigator.credentials) {
    button.remove();
    status.textContent = place.dataset.unable;
    return;
  }

  const fromBase64 = (text) => {
    const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  };
  const toBase64 = (buffer) => {
    const binary = String.fromCharCode(...new Uint8Array(buffer));
    return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  };
  const withBinaryId = (credential) => ({ ...credential, id: fromBase64(credential.id) });

  const options = () => {
    const publicKey = JSON.parse(place.dataset.options).publicKey;
    publicKey.challenge = fromBase64(publicKey.challenge);
    if (publicKey.user) publicKey.user.id = fromBase64(publicKey.user.id);
    for (const list of ["excludeCredentials", "allowCredentials"]) {
      if (publicKey[list]) publicKey[list] = publicKey[list].map(withBinaryId);
    }
    return { publicKey };
  };

  const toJson = (credential) => {
    const response = {};
    for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
      if (credential.response[name]) response[name] = toBase64(credential.response[name]);
    }
    return JSON.stringify({
      id: credential.id,
      rawId: toBase64(credential.rawId),
      type: credential.type,
      clientExtensionResults: credential.getClientExtensionResults(),
      response,
    });
  };

  button.addEventListener("click", async () => {
    status.textContent = "";
    try {
      const request = creating ? navigator.credentials.create(options()) : navigator.credentials.get(options());
      form.elements.credential.value = toJson(await request);
    } catch {
      status.textContent = place.dataset.failed;
      return;
    }
    form.requestSubmit();
  });
})();
