// Runs before anything is drawn: without it, a page whose theme was chosen here would flash in the theme of the system.
try {
  const theme = localStorage.getItem('filemgr:theme')
  if (theme !== null) {
    document.documentElement.classList.toggle('light', theme === 'light')
    document.documentElement.classList.toggle('dark', theme === 'dark')
  }
} catch {
  // Where nothing can be stored, nothing was chosen.
}
