import { useEffect, useState } from 'react'
import { plainName } from '../../lib/plain-name.ts'
import { LazyBoundary, lazyComponent } from '../lazy-component.tsx'

/** Milliseconds that the pointer rests on a control before its tooltip shows. Keyboard focus shows it at once. */
const DELAY = 500

const Tooltip = lazyComponent(async () => (await import('./tooltip.tsx')).Tooltip)

/**
 * Shows the tooltip of any element with `data-tooltip`. One host instead of one component per control keeps long lists
 * light. A tooltip only repeats the accessible name, so nothing depends on it.
 */
export function TooltipHost() {
  const [target, setTarget] = useState<HTMLElement>()
  useEffect(() => watchTargets(setTarget), [])
  const text = target?.dataset['tooltip']
  if (target === undefined || !text) return null
  return (
    <LazyBoundary onError={() => setTarget(undefined)}>
      <Tooltip key={text} target={target} text={text} onClose={() => setTarget(undefined)} />
    </LazyBoundary>
  )
}

/** The browser shows a `title` as it is: names must not change the order of letters there either. */
function showPlainly(target: EventTarget | null): void {
  const titled = target instanceof Element ? target.closest('[title]') : null
  titled?.setAttribute('title', plainName(titled.getAttribute('title') ?? ''))
}

function watchTargets(show: (target: HTMLElement | undefined) => void): () => void {
  const listening = new AbortController()
  const { signal } = listening
  let timer: ReturnType<typeof setTimeout> | undefined
  const hide = () => {
    clearTimeout(timer)
    show(undefined)
  }
  const targetOf = (event: Event) =>
    event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tooltip]') : null
  const onPointerOver = (event: PointerEvent) => {
    if (event.pointerType === 'touch') return
    showPlainly(event.target)
    hide()
    const target = targetOf(event)
    if (target) timer = setTimeout(() => show(target), DELAY)
  }
  const onFocusIn = (event: FocusEvent) => {
    const target = targetOf(event)
    if (target?.matches(':focus-visible')) show(target)
    else hide()
  }
  document.addEventListener('pointerover', onPointerOver, { signal })
  document.addEventListener('focusin', onFocusIn, { signal })
  document.addEventListener('focusout', hide, { signal })
  document.addEventListener('pointerdown', hide, { signal, capture: true })
  document.addEventListener('scroll', hide, { signal, capture: true, passive: true })
  return () => {
    clearTimeout(timer)
    listening.abort()
  }
}
