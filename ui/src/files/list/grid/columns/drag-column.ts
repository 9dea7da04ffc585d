import { movedAway } from '../../../../kit/keyboard/use-long-press.ts'
import { swallowClick } from '../../drag/swallow-click.ts'
import { isRightToLeft, moved, within } from './change-columns.ts'
import { type ColumnsControl, tracksOf } from './columns.ts'

/**
 * Follows a pointer that was pressed on the head of a column until it is released: on the edge it changes the width, elsewhere the
 * place of the column.
 */
export function dragColumn(press: PointerEvent, control: ColumnsControl): void {
  const target = press.target instanceof Element ? press.target : null
  const head = target?.closest<HTMLElement>('[data-column]')
  if (!head) return
  const released = new AbortController()
  const cancelled = new AbortController()
  const signal = AbortSignal.any([released.signal, cancelled.signal])
  for (const end of ['pointerup', 'pointercancel'])
    addEventListener(end, () => released.abort(end), { signal: released.signal, capture: true })
  const resizes = target?.matches('[role=separator]') === true
  const drag = resizes ? resizing(press, head, control) : reordering(head, control)
  let moving = false
  const move = (event: PointerEvent): void => {
    if (event.buttons === 0) return cancelled.abort()
    if (!moving && !movedAway(press, event)) return
    if (!moving) swallowClick(released.signal)
    moving = true
    drag.to(event.clientX)
  }
  const escape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !moving) return
    event.preventDefault()
    event.stopPropagation()
    cancelled.abort()
  }
  addEventListener('pointermove', move, { signal })
  addEventListener('keydown', escape, { signal, capture: true })
  signal.addEventListener('abort', () => drag.end(moving && signal.reason === 'pointerup'))
}

interface Drag {
  to(x: number): void
  end(isDone: boolean): void
}

/** Changes the tracks of the list directly: React would draw all rows for each pixel. */
function resizing(press: PointerEvent, head: HTMLElement, { columns, onColumns }: ColumnsControl): Drag {
  const list = head.closest<HTMLElement>('[role=grid]')
  const before = list?.style.getPropertyValue('--columns') ?? ''
  const start = head.getBoundingClientRect().width
  const sign = isRightToLeft(head) ? 1 : -1
  let changed = columns
  return {
    to(x) {
      const width = within(start + sign * (x - press.clientX))
      changed = columns.map((each) => (each.id === head.dataset['column'] ? { ...each, width } : each))
      list?.style.setProperty('--columns', tracksOf(changed))
    },
    end(isDone) {
      if (isDone) onColumns(changed)
      else list?.style.setProperty('--columns', before)
    },
  }
}

/** The mark is at the edge where the column will be. */
function reordering(head: HTMLElement, { columns, onColumns }: ColumnsControl): Drag {
  const heads = [...(head.parentElement?.querySelectorAll<HTMLElement>('[data-column]') ?? [])]
  const from = heads.indexOf(head)
  let to = from
  const unmark = (): void => {
    for (const each of heads) each.removeAttribute('data-place')
  }
  return {
    to(x) {
      unmark()
      const over = heads.findIndex((each) => {
        const { left, right } = each.getBoundingClientRect()
        return x >= left && x < right
      })
      to = over === -1 ? from : over
      const marked = heads[to]
      if (to !== from && marked) marked.dataset['place'] = to < from ? 'before' : 'after'
    },
    end(isDone) {
      unmark()
      if (isDone && to !== from) onColumns(moved(columns, from, to))
    },
  }
}
