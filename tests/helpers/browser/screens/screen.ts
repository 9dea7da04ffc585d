import type { Locator, Page } from 'playwright-core'
import type english from '../../../../ui/src/i18n/catalogues/en.json'
import type { TestServer } from '../test-server.ts'

export type TextId = keyof typeof english
type Values = Readonly<Record<string, string>>

/** A page that is walked through all screens, in any language. */
export interface Stage {
  readonly page: Page
  readonly daemon: TestServer
  /** Not signed in. */
  readonly isVisitor: boolean
  /** Hashes of the sample links, by name. */
  readonly links: Readonly<Record<string, string>>
  /** A text without plurals, as the page shows it. */
  text(id: TextId, values?: Values): string
}

export type Find = (stage: Stage) => Locator
export type Act = (stage: Stage) => Promise<void>

/** An address and everything that opens on it. */
export interface Screen {
  readonly name: string
  /** Relative to the base path, without a leading slash. */
  readonly at: string | ((stage: Stage) => string)
  /** Runs before the screen is loaded. */
  readonly before?: Act
  /** Visible once the screen has loaded. */
  readonly ready: Find
  /** Runs before the screen is checked. */
  readonly first?: Act
  /** The effect of `first` ends when another address is opened. */
  readonly leavesNothing?: true
  /** Already checked elsewhere; opened here only for its overlays. */
  readonly isKnown?: true
  readonly shows?: readonly Shown[]
  /** Undoes what `first` did. */
  readonly last?: Act
}

/** An overlay that is opened and closed with the keyboard and restores the focus. */
export interface Shown {
  readonly name: string
  /** Gets the focus before the key is pressed; by default the focus stays where it is. */
  readonly from?: Find
  /** Runs before the key is pressed. */
  readonly before?: Act
  readonly key: string
  /** Chosen by keyboard from the menu that opens. */
  readonly item?: TextId
  /** Runs after the key is pressed, before the overlay opens. */
  readonly between?: Act
  /** Visible while the overlay is open; by default one more dialog or menu. */
  readonly ready?: Find
  /** Runs in the overlay before it is checked. */
  readonly then?: Act
  readonly inside?: readonly Shown[]
  /** Closes the overlay instead of Escape. */
  readonly leave?: string | Act
  /** The only layout that has it; by default both. */
  readonly only?: 'narrow' | 'wide'
}

/** An entry of a listing, in any view. */
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

/** Opens the menu of the focused element. */
export const MENU = 'Shift+F10'

/** Chooses this file the next time the page opens a file chooser. */
export const choosing =
  (files: Readonly<Record<string, string>>): Act =>
  async ({ page }) => {
    const chosen = Object.entries(files).map(([name, text]) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(text),
    }))
    page.once('filechooser', (chooser) => void chooser.setFiles(chosen))
    await Promise.resolve()
  }
