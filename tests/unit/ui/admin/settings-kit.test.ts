import { I18nProvider } from '../../../../ui/src/i18n/use-text.tsx'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setupI18n } from '@lingui/core'
import { createElement as h } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { type Session, type SessionState, SessionProvider } from '../../../../ui/src/api/session.ts'
import { createPromptStack, PromptProvider } from '../../../../ui/src/kit/dialog/prompt-stack.tsx'
import { SettingRow } from '../../../../ui/src/kit/page/settings.tsx'
import { TextField, type TextFieldProps } from '../../../../ui/src/kit/fields/text-field.tsx'
import { Switch } from '../../../../ui/src/kit/fields/checkbox.tsx'
import { createBrowserHistory } from '../../../../ui/src/lib/navigation/history.ts'
import { NavigationProvider } from '../../../../ui/src/lib/navigation/navigation.tsx'
import { fakeWindow } from '../../../helpers/unit/fake-window.ts'
import { createStore } from '../../../../ui/src/lib/create-store.ts'
import { EDITOR_THEMES, editorThemeName } from '../../../../ui/src/lib/editor-themes.ts'
import { settingsPaths } from '../../../../ui/src/lib/navigation/settings-paths.ts'
import { UnsavedChanges } from '../../../../ui/src/admin/forms/unsaved-changes.tsx'

/** The first render of a form with this many changes. */
function drawUnsaved(count: number): string {
  const i18n = setupI18n({ locale: 'en', messages: { en: {} } })
  const session = { state: createStore<SessionState>({ status: 'signed-out' }) } as Session
  const history = createBrowserHistory(fakeWindow('/settings/profile'))
  const bar = h(UnsavedChanges, { count, onSave: () => Promise.resolve(true), onDiscard: () => undefined })
  const inRouter = h(NavigationProvider, { base: '', history, children: bar })
  const inPrompts = h(PromptProvider, { value: createPromptStack() }, inRouter)
  return renderToStaticMarkup(h(I18nProvider, { i18n, children: h(SessionProvider, { value: session }, inPrompts) }))
}

describe('the bar of unsaved changes', () => {
  it('is shown only with unsaved changes', () => {
    expect(drawUnsaved(0)).toBe('')
    expect(drawUnsaved(2)).toMatch(/^<div [^>]*role="region" aria-label="settings\.unsaved"/)
  })
})

describe('a row of settings', () => {
  const draw = (error?: string): string =>
    renderToStaticMarkup(
      h(SettingRow, {
        label: 'Colour',
        hint: 'Of the page.',
        error,
        children: (control) => h(Switch, { ...control, checked: true, onChange: () => undefined }),
      }),
    )

  it('links the control to its label and its hint', () => {
    const [, id = ''] = /<input id="([^"]+)"/.exec(draw()) ?? []
    expect(draw()).toContain(`for="${id}"`)
    expect(draw()).toContain(`aria-describedby="${id}-hint"`)
    expect(draw()).not.toContain('aria-invalid')
  })

  it('marks the control and announces the error', () => {
    expect(draw('Not a colour.')).toMatch(/aria-describedby="(\S+)-hint \1-error" aria-invalid="true"/)
    expect(draw('Not a colour.')).toMatch(/role="alert".*Not a colour\./)
  })
})

describe('a field', () => {
  const describedBy = (props: TextFieldProps): string | undefined =>
    /aria-describedby="([^"]*)"/.exec(renderToStaticMarkup(h(TextField, { id: 'name', ...props })))?.[1]

  it('is described by its hint, also without an error', () => {
    expect(describedBy({ hint: 'As people know it.', error: '' })).toBe('name-note')
    expect(describedBy({ hint: 'As people know it.', error: false })).toBe('name-note')
    expect(describedBy({ error: 'Taken.' })).toBe('name-note')
    expect(describedBy({})).toBeUndefined()
  })

  it('keeps descriptions given by its parent', () => {
    expect(describedBy({ 'aria-describedby': 'row-hint' })).toBe('row-hint')
    expect(describedBy({ 'aria-describedby': 'row-hint', error: 'Taken.' })).toBe('row-hint name-note')
  })
})

describe('the settings pages', () => {
  const perm = { admin: false, share: false, download: false }

  it('are those that the user may open', () => {
    const own = ['/settings/profile', '/settings/security']
    expect(settingsPaths(perm)).toEqual(own)
    expect(settingsPaths({ ...perm, share: true })).toEqual(own)
    expect(settingsPaths({ ...perm, share: true, download: true })).toEqual([...own, '/settings/shares'])
    expect(settingsPaths({ admin: true, share: true, download: true })).toHaveLength(9)
  })
})

describe('editor themes', () => {
  it('exist in the editor and are marked as light or dark', () => {
    const folder = join(import.meta.dirname, '../../../../node_modules/ace-builds/src-min-noconflict')
    const isDark = (name: string): boolean =>
      readFileSync(join(folder, `theme-${name}.js`), 'utf8').includes('isDark=!0')
    expect(EDITOR_THEMES.length).toBeGreaterThan(40)
    expect(EDITOR_THEMES.filter(({ name, dark }) => isDark(name) !== dark)).toEqual([])
  })

  it('fall back to the default for the page', () => {
    expect(editorThemeName('monokai', false)).toBe('monokai')
    expect([editorThemeName('no such theme', true), editorThemeName('', false)]).toEqual(['twilight', 'chrome'])
  })
})
