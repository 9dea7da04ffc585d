import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import type { PermissionRule } from '../../src/domain/access/rule.ts'
import { PermissionRules } from '../../ui/src/admin/rules/permission-rules.tsx'
import { AnnouncerProvider } from '../../ui/src/kit/feedback/announcer.tsx'
import { createMenus, MenuProvider } from '../../ui/src/kit/menu/menu.tsx'
import { draw } from '../helpers/component/draw.tsx'

it('permissions beneath a path are chosen one by one; sharing requires downloading', async () => {
  let chosen: readonly PermissionRule[] = []
  function Editor() {
    const [rules, setRules] = useState<readonly PermissionRule[]>([])
    chosen = rules
    return <PermissionRules id="list" rules={rules} before={2} onChange={setRules} errors={new Map()} />
  }
  draw(
    <AnnouncerProvider>
      <MenuProvider value={createMenus()}>
        <Editor />
      </MenuProvider>
    </AnnouncerProvider>,
  )
  await userEvent.click(screen.getByText('rules.addPermissions'))
  expect(document.activeElement?.id).toBe('list-rule-2')
  await userEvent.keyboard('x')
  const pressed = () => [...document.querySelectorAll('[aria-pressed="true"]')].map(({ textContent }) => textContent)
  expect(pressed()).toEqual(['permissions.download'])
  for (const name of ['share', 'create', 'download']) await userEvent.click(screen.getByText(`permissions.${name}`))
  expect(pressed()).toEqual(['permissions.create'])
  expect(chosen).toEqual([{ regex: false, path: '/x', regexp: null, permissions: ['create'] }])
})
