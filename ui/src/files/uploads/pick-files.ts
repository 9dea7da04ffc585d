/** Opens the file dialog of the browser. Resolves with nothing when it is cancelled. */
export function pickFiles(kind: 'files' | 'folder'): Promise<readonly File[]> {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.webkitdirectory = kind === 'folder'
  return new Promise((resolve) => {
    input.onchange = () => resolve([...(input.files ?? [])])
    input.oncancel = () => resolve([])
    input.click()
  })
}
