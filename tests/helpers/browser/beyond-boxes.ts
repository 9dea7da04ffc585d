/** What is drawn outside its element, and texts that are cut although they are labels or times. Runs in the page. */
export function beyondTheirBoxes(elements: Element[]): string[] {
  return elements.flatMap((element) => {
    const box = element.getBoundingClientRect()
    const inner = [...element.querySelectorAll('span, time, button, bdi')].filter(
      (part) => part.checkVisibility() && getComputedStyle(part).clipPath === 'none',
    )
    const isOutside = (part: Element): boolean => {
      const { top, bottom, left, right } = part.getBoundingClientRect()
      return top < box.top - 1 || bottom > box.bottom + 1 || left < box.left - 1 || right > box.right + 1
    }
    const isCut = (part: Element): boolean =>
      part.matches('time, button, button > span') && part.scrollWidth > part.clientWidth + 1
    return inner.filter((part) => isOutside(part) || isCut(part)).map((part) => part.textContent)
  })
}
