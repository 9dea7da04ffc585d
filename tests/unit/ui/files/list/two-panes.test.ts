import { expect, it } from 'vitest'
import { panesHref } from '../../../../../ui/src/files/list/pane/panes.tsx'
import { otherPaneIn } from '../../../../../ui/src/files/list/pane/two-panes.ts'

it('the address names the folder of the other pane, and its side', () => {
  const href = panesHref('/a b/', { side: 'start', path: '/c&d+e/#1/' })
  expect(href).toBe('/files/a%20b/?start=/c%26d%2Be/%231/')
  expect(otherPaneIn(href.slice(href.indexOf('?')))).toEqual({ side: 'start', path: '/c&d+e/#1/' })
})

it('other parameters and wrong paths are no pane', () => {
  expect(otherPaneIn('')).toBeUndefined()
  expect(otherPaneIn('?q=x&end=b')).toBeUndefined()
  expect(otherPaneIn('?q=x&end=/b')).toEqual({ side: 'end', path: '/b/' })
})
