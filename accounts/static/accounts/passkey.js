"use strict";
// The button that creates a passkey, or shows one: the browser's answer goes into the form round it.

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

  const bytes = (written) => {
    const plain = atob(written.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  };
  const written = (buffer) => {
    const plain = String.fromCharCode(...new Uint8Array(buffer));
    return btoa(plain).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  };
  const withId = (credential) => ({ ...credential, id: bytes(credential.id) });

  const options = () => {
    const known = JSON.parse(place.dataset.options).publicKey;
    known.challenge = bytes(known.challenge);
    if (known.user) known.user.id = bytes(known.user.id);
    for (const list of ["excludeCredentials", "allowCredentials"]) {
      if (known[list]) known[list] = known[list].map(withId);
    }
    return { publicKey: known };
  };

  const answer = (credential) => {
    const response = {};
    for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
      if (credential.response[name]) response[name] = written(credential.response[name]);
    }
    return {
      id: credential.id,
      rawId: written(credential.rawId),
      type: credential.type,
      clientExtensionResults: credential.getClientExtensionResults(),
      response,
    };
  };

  button.addEventListener("click", async () => {
    status.textContent = "";
    try {
      const given = creating ? navigator.credentials.create(options()) : navigator.credentials.get(options());
      form.elements.credential.value = JSON.stringify(answer(await given));
    } catch {
      status.textContent = place.dataset.failed;
      return;
    }
    form.requestSubmit();
  });
})();
