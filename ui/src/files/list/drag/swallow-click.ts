/** The release of the button that ends a drag is a click on what lies below, which is not meant. */
export function swallowClick(released: AbortSignal): void {
  const stop = (event: MouseEvent): void => event.stopPropagation()
  released.addEventListener('abort', () => {
    addEventListener('click', stop, { capture: true, once: true })
    setTimeout(() => removeEventListener('click', stop, { capture: true }))
  })
}
