for (const button of document.querySelectorAll("button[data-copy]")) {
  const said = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
    } catch {
      const range = document.createRange();
      range.selectNodeContents(button.previousElementSibling);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      if (!document.execCommand("copy")) return;
    }
    const told = document.body.dataset.copied;
    button.textContent = told;
    document.getElementById("told").textContent = told;
    setTimeout(() => { button.textContent = said; }, 1500);
  });
}
