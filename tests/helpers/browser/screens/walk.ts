import type { Locator, Page } from 'playwright-core'
import { goWithin } from '../go-within.ts'
import type { Screen, Shown, Stage } from './screen.ts'

const PROMPTS = ['[role=dialog]', '[role=alertdialog]']
const OVERLAYS = [...PROMPTS, '[role=menu]']

/** Called for each screen, and for each overlay with the selectors of overlays. */
export type Check = (name: string, inside?: readonly string[]) => Promise<void>

/**
 * Opens every screen and every overlay on it with the keyboard.
 *
 * @returns the overlays that did not restore the focus
 */
export async function walk(stage: Stage, screens: readonly Screen[], check: Check): Promise<readonly string[]> {
  const lost: string[] = []
  for (const [index, screen] of screens.entries()) {
    await screen.before?.(stage)
    await open(stage, screen, screens[index - 1])
    await screen.ready(stage).waitFor()
    await screen.first?.(stage)
    if (screen.isKnown !== true) await check(screen.name)
    for (const shown of screen.shows ?? []) lost.push(...(await show(stage, shown, check, 0)))
    await screen.last?.(stage)
  }
  return lost
}

/** Loads the page again only if it may be in another state than a fresh one: that takes several times as long. */
async function open(stage: Stage, { at, before }: Screen, previous: Screen | undefined): Promise<void> {
  const { page, text, isVisitor } = stage
  const address = `/${typeof at === 'string' ? at : at(stage)}`
  if (previous === undefined || before !== undefined || !isUndone(previous)) {
    await page.goto(address)
    return
  }
  // First opens an empty screen, so that no content of the last one can be mistaken for that of the next one.
  await goWithin(page, isVisitor ? '/share/' : '/403')
  await page.getByRole('heading', { name: text(isVisitor ? 'public.goneTitle' : 'errors.forbidden') }).waitFor()
  await goWithin(page, address)
}

function isUndone({ first, last, leavesNothing }: Screen): boolean {
  return first === undefined || last !== undefined || leavesNothing === true
}

async function show(stage: Stage, shown: Shown, check: Check, depth: number): Promise<readonly string[]> {
  const { page } = stage
  // A pointer left by an earlier click would open a tooltip, which takes the first Escape.
  await page.mouse.move(0, 0)
  const width = (page.viewportSize()?.width ?? 0) > 736 ? 'wide' : 'narrow'
  if (shown.only !== undefined && shown.only !== width) return []
  const overlays = page.locator(OVERLAYS.join()).filter({ visible: true })
  await shown.before?.(stage)
  await shown.from?.(stage).focus()
  const count = await overlays.count()
  // A prompt opens while its menu is still closing.
  const added =
    shown.item === undefined ? overlays.nth(count) : page.locator(PROMPTS.join()).filter({ visible: true }).nth(count)
  const opened = shown.ready?.(stage) ?? added
  const mark = `data-came-from-${depth}`
  await page.evaluate(([name, value]) => document.activeElement?.setAttribute(name, value), [mark, shown.name] as const)

  await page.keyboard.press(shown.key)
  if (shown.item !== undefined) await choose(page.getByRole('menu'), stage.text(shown.item))
  await shown.between?.(stage)
  await opened.waitFor()
  if (shown.item !== undefined) await page.getByRole('menu').waitFor({ state: 'detached' })
  await shown.then?.(stage)
  await check(shown.name, shown.ready === undefined ? OVERLAYS : undefined)
  const lost: string[] = []
  for (const inner of shown.inside ?? []) lost.push(...(await show(stage, inner, check, depth + 1)))
  // The first Escape would close the tooltip of the focused button.
  if (shown.inside !== undefined && shown.ready === undefined) await added.focus()

  await leave(stage, shown)
  await opened.waitFor({ state: 'hidden' })
  // Overlays below must stay open.
  if ((await overlays.count()) !== count) lost.push(`${shown.name} did not go alone`)
  return [...lost, ...(await focusBack(page, mark, shown.name))]
}

async function leave(stage: Stage, { leave: close, from }: Shown): Promise<void> {
  if (typeof close === 'function') {
    await close(stage)
    return
  }
  if (close !== undefined) await from?.(stage).focus()
  await stage.page.keyboard.press(close ?? 'Escape')
}

async function choose(menu: Locator, label: string): Promise<void> {
  await menu
    .locator('[role^=menuitem]')
    .filter({ has: menu.page().getByText(label, { exact: true }) })
    .press('Enter')
}

async function focusBack(page: Page, mark: string, name: string): Promise<readonly string[]> {
  try {
    await page.locator(`[${mark}="${name}"]:focus`).waitFor({ state: 'attached' })
    return []
  } catch {
    const now = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200) ?? '')
    return [`${name} left the focus at ${now}`]
  }
}
