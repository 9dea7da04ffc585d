import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useNoStrayDrops } from '../../ui/src/app/app.tsx'

function dropped(types: readonly string[]): boolean {
  const event = new Event('drop', { bubbles: true, cancelable: true })
  Object.assign(event, { dataTransfer: { types, dropEffect: 'copy' } })
  document.body.dispatchEvent(event)
  return event.defaultPrevented
}

test('a file that nothing takes does not replace the page', () => {
  const { unmount } = renderHook(useNoStrayDrops)
  expect(dropped(['Files'])).toBe(true)
  expect(dropped(['text/plain'])).toBe(false)
  unmount()
  expect(dropped(['Files'])).toBe(false)
})
