import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useNoStrayDrops } from '../../ui/src/app/app.tsx'

function isDropPrevented(types: readonly string[]): boolean {
  const event = new Event('drop', { bubbles: true, cancelable: true })
  Object.assign(event, { dataTransfer: { types, dropEffect: 'copy' } })
  document.body.dispatchEvent(event)
  return event.defaultPrevented
}

test('a file dropped where nothing accepts it does not replace the page', () => {
  const { unmount } = renderHook(useNoStrayDrops)
  expect(isDropPrevented(['Files'])).toBe(true)
  expect(isDropPrevented(['text/plain'])).toBe(false)
  unmount()
  expect(isDropPrevented(['Files'])).toBe(false)
})
