import { useLayoutEffect, useRef } from 'react'

/** In a selection toolbar that is too narrow for all, the detail is left out, or else the labels, which become tooltips. */
export function TightLabels() {
  const mark = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const toolbar = mark.current?.parentElement
    if (!toolbar) return
    const measure = (): void => {
      const fitsWithout = (left: string): boolean => {
        toolbar.dataset['without'] = left
        return ![toolbar, ...toolbar.children].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      }
      const fits = fitsWithout('') || fitsWithout('detail')
      if (!fits) fitsWithout('labels')
      for (const label of toolbar.querySelectorAll('button > span')) {
        if (!fits) label.parentElement?.setAttribute('data-tooltip', label.textContent)
        else label.parentElement?.removeAttribute('data-tooltip')
      }
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(toolbar)
    return () => observer.disconnect()
  })
  return <span ref={mark} hidden />
}
