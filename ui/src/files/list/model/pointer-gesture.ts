/** Interprets pointer presses on entries, without access to the page. Times in milliseconds, positions in pixels. */
const DOUBLE_CLICK = 300

export interface Press {
  readonly name: string
  readonly touch: boolean
  readonly toggle: boolean
  readonly extend: boolean
  readonly at: number
}

export interface PressContext {
  /** The user's preference: one click opens. */
  readonly singleClick: boolean
  /** Every click toggles. */
  readonly multiple: boolean
  readonly anySelected: boolean
  readonly previous: { readonly name: string; readonly at: number } | null
}

type PressMeaning = 'open' | 'select' | 'toggle' | 'extend' | 'extendMore'

/**
 * The meaning of a click. With a mouse, one click selects and a second one opens. On touch screens a tap opens, unless
 * something is selected (by a long press or a check box): then taps toggle.
 */
export function meaningOf(press: Press, context: PressContext): PressMeaning {
  if (press.extend) return press.toggle ? 'extendMore' : 'extend'
  if (press.toggle || context.multiple) return 'toggle'
  if (press.touch) return context.anySelected ? 'toggle' : 'open'
  if (context.singleClick) return 'open'
  return isDouble(press, context.previous) ? 'open' : 'select'
}

function isDouble(press: Press, previous: PressContext['previous']): boolean {
  return previous !== null && previous.name === press.name && press.at - previous.at <= DOUBLE_CLICK
}
