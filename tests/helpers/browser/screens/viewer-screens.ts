import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Act, button, type Find, type Screen, type Shown } from './screen.ts'

const inViewer =
  (selector: string): Find =>
  ({ page, text }) =>
    page
      .getByRole('region', { name: text('viewer.viewer') })
      .locator(selector)
      .first()

const details: Shown = {
  name: 'details beside it',
  key: 'i',
  ready: ({ page, text }) => page.getByRole('complementary', { name: text('details.title') }),
  leave: 'i',
}
const more: Shown = { name: 'menu of the viewer', from: button('editor.more'), key: 'Enter' }

const file = (name: string, selector: string, shows?: readonly Shown[]): Screen => ({
  name: `viewer of ${name}`,
  at: `files/${name}?view=true`,
  ready: inViewer(selector),
  ...(shows && { shows }),
})

/** Bars over pictures and videos hide after a while, unless one of them has the focus. Half-hidden bars have no contrast. */
const keepBars: Act = async ({ page }) => await page.keyboard.press('Tab')

const content: Find = ({ page }) => page.locator('.ace_editor > .ace_text-input').first()
const editorOf = (name: string): string => `files/${name}?edit=true`

export const VIEWER_SCREENS: readonly Screen[] = [
  {
    ...file('media/picture.png', 'img', [
      more,
      { name: 'rename in the viewer', from: button('actions.rename'), key: 'Enter', only: 'wide' },
      { ...more, name: 'rename in the viewer', item: 'actions.rename', only: 'narrow' },
      details,
    ]),
    first: keepBars,
    leavesNothing: true,
  },
  {
    ...file('media/picture.png', 'img'),
    name: 'turning and cropping',
    first: async (stage) => {
      const { page, text } = stage
      await button('editor.more')(stage).click()
      await page.getByRole('menuitem', { name: text('crop.title') }).click()
      await button('crop.area')(stage).waitFor()
    },
    leavesNothing: true,
  },
  file('media/broken.png', '[role=alert]'),
  file('media/song.wav', 'audio', [more]),
  {
    ...file('media/film.webm', 'video', [
      {
        name: 'menu of speeds',
        from: ({ page }) => page.locator('[role=toolbar] [aria-haspopup=menu]').first(),
        key: 'Enter',
      },
    ]),
    first: keepBars,
    leavesNothing: true,
  },
  file('media/paper.pdf', 'object, embed, iframe, canvas'),
  file('media/book.epub', 'iframe', [{ name: 'contents of a book', from: button('viewer.contents'), key: 'Enter' }]),
  file('media/letter.docx', 'iframe'),
  file('media/book.xlsx', '[role=grid], [role=table], table'),
  file('media/people.csv', '[role=grid], [role=table], table'),
  file('notes.md', 'h2'),
  file('letter.txt', 'pre, code, [role=document]'),
  file('media/data.bin', 'button'),
  { name: 'editor of bytes', at: editorOf('media/data.bin'), ready: button('editor.backToFolder') },
  {
    name: 'editor',
    at: editorOf('notes.md'),
    ready: content,
    shows: [
      {
        name: 'find',
        from: content,
        key: 'Control+f',
        ready: ({ page }) => page.getByRole('search'),
        then: async ({ page }) => await page.keyboard.type('e'),
      },
      {
        name: 'menu of encodings',
        from: ({ page }) => page.locator('[aria-haspopup=menu]:visible').last(),
        key: 'Enter',
      },
      { name: 'line', from: content, key: 'Control+l' },
      { name: 'menu of the editor', from: button('editor.more'), key: 'Enter' },
      { name: 'language', from: button('editor.more'), key: 'Enter', item: 'editor.language' },
    ],
  },
  {
    name: 'changed text',
    at: editorOf('notes.md'),
    ready: content,
    first: async (stage) => {
      const { page, text, daemon } = stage
      await content(stage).focus()
      await page.keyboard.type('mine ')
      await page.getByRole('img', { name: text('editor.unsaved') }).waitFor()
      // Another user saves meanwhile.
      await writeFile(join(daemon.root, 'notes.md'), '# Theirs\n')
    },
    shows: [
      { name: 'discard', from: content, key: 'Escape' },
      {
        name: 'two versions',
        from: content,
        key: 'Control+s',
        ready: ({ page }) => page.getByRole('alertdialog').getByText('Theirs', { exact: false }).first(),
        inside: [{ name: 'save mine as', from: button('editor.saveAs'), key: 'Enter' }],
      },
      {
        name: 'a version that is no text',
        before: async ({ daemon }) => await writeFile(join(daemon.root, 'notes.md'), '\0\u0001\u0002'),
        from: content,
        key: 'Control+s',
        then: async ({ page, text }) => await page.getByText(text('editor.theirsNoText')).waitFor(),
      },
      {
        name: 'a version that is gone',
        before: async ({ daemon }) => await rm(join(daemon.root, 'notes.md')),
        from: content,
        key: 'Control+s',
        then: async ({ page, text }) => await page.getByText(text('editor.goneText')).waitFor(),
      },
    ],
  },
  {
    name: 'draft',
    before: async ({ daemon }) => await writeFile(join(daemon.root, 'notes.md'), '# Theirs\n'),
    at: editorOf('notes.md'),
    ready: button('editor.draftDiscard'),
  },
]
