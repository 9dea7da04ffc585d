import type { Locator, Page } from 'playwright-core'
import type english from '../../../../ui/src/i18n/catalogues/en.json'
import type { TestServer } from '../test-server.ts'

export type TextId = keyof typeof english
type Values = Readonly<Record<string, string>>

/** A page that is led through screens, in whatever language. */
export interface Stage {
  readonly page: Page
  readonly daemon: TestServer
  /** Hashes of links by what they are good for. */
  readonly links: Readonly<Record<string, string>>
  /** A text without plurals, as the page shows it. */
  text(id: TextId, values?: Values): string
}

export type Find = (stage: Stage) => Locator
export type Act = (stage: Stage) => Promise<void>

/** An address, and what opens on it. */
export interface Screen {
  readonly name: string
  /** Below the base, without a slash at its start. */
  readonly at: string | ((stage: Stage) => string)
  /** Done before it is fetched. */
  readonly before?: Act
  /** Is there when the screen is. */
  readonly ready: Find
  /** Done before anybody looks. */
  readonly first?: Act
  /** Looked at elsewhere: here for what opens on it. */
  readonly isKnown?: true
  readonly shows?: readonly Shown[]
}

/** Something that opens by a key, goes by a key and gives the focus back. */
export interface Shown {
  readonly name: string
  /** Has the focus when the key is pressed; without it whatever has it by then. */
  readonly from?: Find
  /** Done before the key is pressed. */
  readonly before?: Act
  readonly key: string
  /** Chosen by keyboard from the menu that the key opens. */
  readonly item?: TextId
  /** Done between the key and what it leads to. */
  readonly between?: Act
  /** Is there while it is open; without it one more dialog or menu. */
  readonly ready?: Find
  /** Done in it before anybody looks. */
  readonly then?: Act
  readonly inside?: readonly Shown[]
  /** Closes it, in place of Escape. */
  readonly leave?: string | Act
  /** The one layout that has it; without it both. */
  readonly only?: 'narrow' | 'wide'
}

/** An entry of a listing, in whatever view. */
export const entry =
  (name: string): Find =>
  ({ page }) =>
    page.locator(`[data-entry=${JSON.stringify(name)}]`)

export const button =
  (id: TextId, values?: Values): Find =>
  ({ page, text }) =>
    page.getByRole('button', { name: text(id, values), exact: true }).first()

export const field =
  (id: TextId, values?: Values): Find =>
  ({ page, text }) =>
    page.getByLabel(text(id, values), { exact: true }).first()

/** Opens the menu of what has the focus. */
export const MENU = 'Shift+F10'

/** What is chosen the next time that the page asks for files of the device. */
export const choosing =
  (files: Readonly<Record<string, string>>): Act =>
  async ({ page }) => {
    const chosen = Object.entries(files).map(([name, text]) => ({
      ...{ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) },
    }))
    page.once('filechooser', (chooser) => void chooser.setFiles(chosen))
    await Promise.resolve()
  }
