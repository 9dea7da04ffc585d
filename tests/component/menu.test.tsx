import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { MenuHost } from '../../ui/src/kit/overlay-hosts.tsx'
import { createMenus, MenuProvider } from '../../ui/src/kit/menu/menu.tsx'

const RIGHT = 2

test('a menu at the pointer ignores the release of the button that opened it', async () => {
  const menus = createMenus()
  render(
    <MenuProvider value={menus}>
      <MenuHost
        onError={(error) => {
          throw error
        }}
      />
    </MenuProvider>,
  )
  const chosen: string[] = []
  menus.open({
    label: 'Actions',
    anchor: { x: 10, y: 10 },
    entries: [{ label: 'Delete', run: () => chosen.push('delete') }],
  })
  const item = await screen.findByRole('menuitem', { name: 'Delete' })
  fireEvent.pointerUp(item, { button: RIGHT })
  expect(chosen).toEqual([])
  fireEvent.pointerUp(item, { button: 0 })
  expect(chosen).toEqual(['delete'])
})
