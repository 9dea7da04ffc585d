// What must not wait for the scripts of the page.

// Without this, a page whose theme was chosen here would flash in the theme of the system.
try {
  const theme = localStorage.getItem('filemgr:theme')
  if (theme !== null) {
    document.documentElement.classList.toggle('light', theme === 'light')
    document.documentElement.classList.toggle('dark', theme === 'dark')
  }
} catch {
  // Where nothing can be stored, nothing was chosen.
}

// Asks for the list of the folder: ui/src/api/early-answer.ts takes the answer. It arrives while the browser reads the scripts.
try {
  const base = new URL(document.currentScript.src).pathname.replace(/\/static\/early\.js$/, '')
  const token = localStorage.getItem(`filemgr:token:${base}`)
  const path = location.pathname.startsWith(`${base}/files/`) ? location.pathname.slice(base.length + 7) : undefined
  if (token && path !== undefined) {
    const address = `${base}/api/resources/${path.replace(/\/$/, '')}`
    const headers = { Accept: 'application/json', 'x-filemgr-page': '1', 'X-Auth': token }
    const answer = fetch(address, { headers })
    answer.catch(() => undefined)
    globalThis.filemgrEarly = { address, token, answer }
  }
} catch {
  // The page asks by itself.
}
