import { intercept } from '../intercept.ts'
import { notices } from './notices.ts'
import { button, entry, field, MENU, type Act, type Find, type Screen, type Shown, type TextId } from './screen.ts'

const letter = entry('letter.txt')
const album = entry('album')

const orderButton: Find = ({ page, text }) =>
  page
    .getByRole('toolbar', { name: text('files.folderActions') })
    .locator('[aria-haspopup=menu]')
    .first()

const lastButtonOfLink: Find = ({ page }) =>
  page.getByRole('dialog').getByRole('listitem').first().getByRole('button').last()

const chooseAlbum: Act = async ({ page }) => await page.getByRole('treeitem', { name: /^album/ }).click()

/** Opens over the picker, since some items already exist at the destination. */
const takenNames: Shown = { name: 'taken names', from: button('pick.copyHere'), key: 'Enter' }
const takenByMoving: Shown = { name: 'taken names', from: button('pick.moveHere'), key: 'Enter' }

const searchField = field('search.field')

const bell: Find = ({ page }) => page.locator('main header button:has(use[href$="#i-bell"])')

const ofTheFolder: readonly Shown[] = [
  { name: 'menu of the folder', from: button('files.moreActions'), key: 'Enter' },
  { name: 'menu of the order', from: orderButton, key: 'Enter' },
  { name: 'menu of uploads', from: button('files.upload'), key: 'Enter' },
  { name: 'new folder', from: button('files.moreActions'), key: 'Enter', item: 'files.newFolder' },
  {
    name: 'new file with a name that is taken',
    from: button('files.moreActions'),
    key: 'Enter',
    item: 'files.newFile',
    then: async ({ page, text }) => {
      await page.keyboard.type('letter.txt')
      await page.keyboard.press('Enter')
      await page.getByText(text('files.nameTaken')).waitFor()
    },
  },
  { name: 'details of the folder', from: button('files.moreActions'), key: 'Enter', item: 'details.title' },
  { name: 'no notices', from: bell, key: 'Enter' },
  {
    name: 'notices',
    before: async ({ page }) =>
      await intercept(page, '**/api/notices', async (route) => await route.fulfill({ json: notices() })),
    from: bell,
    key: 'Enter',
    then: async ({ page }) => await page.getByRole('dialog').getByRole('listitem').nth(4).waitFor(),
  },
  { name: 'filter', from: album, key: '/', ready: field('files.filterNames') },
  { name: 'shortcuts', from: album, key: 'F1' },
  {
    name: 'palette',
    from: album,
    key: 'Control+k',
    then: async ({ page }) => await page.getByRole('option').first().waitFor(),
  },
  {
    name: 'palette with files',
    from: album,
    key: 'Control+k',
    then: async ({ page, text }) => {
      await page.keyboard.type('letter')
      await page.getByRole('option', { name: text('palette.allResults', { text: 'letter' }) }).waitFor()
    },
  },
  {
    name: 'search without results',
    from: album,
    key: 'Control+Shift+f',
    then: async ({ page, text }) => {
      await page.keyboard.type('nothing has this name')
      await page.getByText(text('search.none')).waitFor()
    },
  },
  {
    name: 'search',
    from: album,
    key: 'Control+Shift+f',
    then: async ({ page, text }) => {
      await page.getByRole('combobox', { name: text('search.field') }).fill('e')
      await page.keyboard.press('Enter')
      await page.getByRole('option').nth(2).waitFor()
    },
    inside: [
      { name: 'menu of what was found', from: searchField, key: MENU },
      { name: 'rename what was found', from: searchField, key: MENU, item: 'actions.rename' },
      { name: 'menu of sizes', from: button('search.anySize'), key: 'Enter' },
    ],
  },
  { name: 'path', from: album, key: 'Control+l', ready: field('shell.path') },
]

/** All fields are there, and all new names are the same. */
const nameAlike: Act = async (stage) => {
  await field('rename.newName')(stage).fill('{n}{date}')
  await field('editor.find')(stage).fill('e')
  await field('rename.newName')(stage).fill('{date}')
  await stage.page.getByRole('listitem').getByText(stage.text('rename.twice')).first().waitFor()
}

const withDetails: Shown = {
  name: 'details beside the list',
  key: 'Control+i',
  leave: 'Control+i',
  only: 'wide',
  ready: ({ page, text }) =>
    page
      .getByRole('complementary', { name: text('files.detailsPane') })
      .getByRole('button', { name: text('shell.copyPath') }),
}

const ofEntries: readonly Shown[] = [
  { name: 'menu of a file', from: letter, key: MENU },
  { name: 'menu of a folder', from: album, key: MENU },
  {
    name: 'rename',
    from: letter,
    key: MENU,
    item: 'actions.rename',
    ready: field('files.newNameOf', { name: 'letter.txt' }),
  },
  { name: 'delete', from: letter, key: 'Shift+Delete' },
  {
    name: 'move',
    from: letter,
    key: MENU,
    item: 'actions.moveTo',
    then: chooseAlbum,
    inside: [takenByMoving],
  },
  {
    name: 'copy',
    from: letter,
    key: MENU,
    item: 'actions.copyTo',
    then: chooseAlbum,
    inside: [{ name: 'new folder in the picker', from: button('files.newFolder'), key: 'Enter' }, takenNames],
  },
  { name: 'archive', from: album, key: MENU, item: 'files.download' },
  { name: 'compress', from: album, key: MENU, item: 'actions.compress' },
  {
    name: 'details of a file',
    from: letter,
    key: MENU,
    item: 'details.title',
    then: async ({ page, text }) => {
      await page.getByRole('button', { name: text('details.computeOne', { name: 'SHA-256' }) }).click()
      await page.getByRole('button', { name: text('details.copy', { name: 'SHA-256' }) }).waitFor()
    },
  },
  {
    name: 'links',
    from: letter,
    key: MENU,
    item: 'actions.share',
    then: async ({ page }) => await page.getByRole('dialog').getByRole('listitem').first().waitFor(),
    inside: [
      { name: 'change a link', from: button('shares.edit'), key: 'Enter' },
      { name: 'code of a link', from: button('shares.showQr'), key: 'Enter' },
      { name: 'delete a link', from: lastButtonOfLink, key: 'Enter' },
    ],
  },
  {
    name: 'first link',
    from: entry('notes.md'),
    key: MENU,
    item: 'actions.share',
    then: async (stage) => {
      await button('shares.onDate')(stage).click()
      await field('shares.date')(stage).waitFor()
      await button('shares.generate')(stage).click()
    },
  },
  {
    name: 'quick look',
    from: letter,
    key: 'Space',
    leave: 'Space',
    ready: ({ page, text }) => page.locator(`section[aria-label^="${text('files.quickLook')}"] [role="document"]`),
  },
  {
    name: 'chosen file',
    // The menus before have chosen others.
    before: async ({ page }) => await page.keyboard.press('Escape'),
    from: letter,
    key: 'Control+Space',
    leave: 'Control+Space',
    ready: ({ page, text }) => page.getByRole('toolbar', { name: text('files.selectionActions'), exact: true }),
    inside: [withDetails],
  },
  {
    name: 'selection of all',
    from: letter,
    key: 'Control+a',
    ready: ({ page, text }) => page.getByRole('toolbar', { name: text('files.selectionActions'), exact: true }),
    inside: [
      { name: 'menu of the selection', from: letter, key: MENU },
      { name: 'delete many', from: letter, key: 'Shift+Delete' },
      { name: 'archive of many', from: letter, key: MENU, item: 'files.download' },
      { name: 'details of many', from: letter, key: MENU, item: 'details.title' },
      { name: 'rename many', from: letter, key: MENU, item: 'actions.rename', then: nameAlike },
    ],
  },
]

const song = entry('song.wav')

const chosen: Shown = {
  name: 'one that is chosen',
  from: song,
  key: 'Control+Space',
  leave: 'Control+Space',
  ready: ({ page, text }) => page.getByRole('toolbar', { name: text('files.selectionActions'), exact: true }),
}

/** Narrow pages have one button that leads to the next view. */
const changeView =
  (view: TextId): Act =>
  async (stage) => {
    const next = button('files.changeView')(stage)
    await next.or(button(view)(stage)).click()
    // Its tooltip would lie over the entries.
    await stage.page.mouse.move(0, 0)
  }

export const FOLDER_SCREENS: readonly Screen[] = [
  { name: 'list', at: 'files/', ready: letter, shows: ofTheFolder },
  {
    name: 'tiles',
    at: 'files/media/',
    ready: song,
    first: changeView('files.viewMosaic'),
    shows: [chosen],
    leavesNothing: true,
  },
  {
    name: 'gallery',
    at: 'files/media/',
    ready: song,
    first: changeView('files.viewGallery'),
    shows: [chosen],
    leavesNothing: true,
  },
  {
    name: 'what takes the room',
    at: 'files/?storage',
    ready: ({ page, text }) => page.getByRole('list', { name: text('storage.list') }),
  },
  {
    name: 'largest files',
    at: 'files/?storage=largest',
    ready: ({ page, text }) => page.getByRole('table', { name: text('storage.largest') }),
    shows: [
      {
        name: 'menu of a large file',
        from: ({ page }) => page.locator('td [aria-haspopup=menu]').first(),
        key: 'Enter',
      },
    ],
  },
  {
    name: 'room that users take',
    at: 'files/?storage=users',
    ready: ({ page, text }) => page.getByRole('list', { name: text('storage.users') }),
  },
  {
    name: 'groups and columns',
    at: 'files/media/',
    ready: song,
    first: async (stage) => {
      await changeView('files.viewList')(stage)
      await orderButton(stage).click()
      await stage.page
        .getByRole('menuitemradio', { name: stage.text('files.type'), exact: true })
        .last()
        .click()
      await stage.page.getByRole('grid').getByRole('heading').first().waitFor()
    },
    shows: [{ name: 'menu of the columns', from: button('files.columns'), key: 'Enter', only: 'wide' }],
    leavesNothing: true,
  },
  {
    name: 'two panes',
    at: 'files/?end=/media/',
    ready: letter,
    shows: [{ name: 'menu of a file in a pane', from: letter, key: MENU, only: 'wide' }],
    leavesNothing: true,
  },
  {
    name: 'deep folder',
    at: 'files/one/two/three/four/five/six/',
    ready: ({ page, text }) => page.getByRole('heading', { name: text('files.emptyTitle') }),
    shows: [
      {
        name: 'menu of parent folders',
        from: ({ page }) => page.locator('nav ol li button:not([data-siblings])').first(),
        key: 'Enter',
      },
      { name: 'menu of the folder by its own key', from: button('files.moreActions'), key: MENU },
      { name: 'menu of siblings', from: ({ page }) => page.locator('[data-siblings]').last(), key: 'Enter' },
      {
        name: 'terminal',
        from: button('files.moreActions'),
        key: 'Control+`',
        ready: ({ page, text }) => page.getByRole('region', { name: text('terminal.title') }),
        leave: 'Control+`',
      },
    ],
  },
  {
    name: 'archive',
    at: 'files/one/papers.zip',
    ready: entry('letters'),
    shows: [
      { name: 'menu of an entry of an archive', from: entry('letters'), key: MENU },
      { name: 'folder to extract to', from: button('actions.extractTo'), key: 'Enter' },
    ],
  },
  {
    name: 'file of an archive',
    at: 'files/one/papers.zip?inside=%2Fnote.txt',
    ready: ({ page }) => page.getByText('a note', { exact: true }),
  },
  {
    name: 'broken archive',
    at: 'files/one/broken.zip',
    ready: ({ page, text }) => page.getByRole('heading', { name: text('archive.failed') }),
  },
  {
    name: 'missing folder',
    at: 'files/missing/',
    ready: ({ page, text }) => page.getByRole('heading', { name: text('errors.notFound') }),
  },
  {
    name: 'forbidden',
    at: '403',
    ready: ({ page, text }) => page.getByRole('heading', { name: text('errors.forbidden') }),
  },
  {
    name: 'broken',
    at: '500',
    ready: ({ page, text }) => page.getByRole('heading', { name: text('errors.internal') }),
  },
  {
    name: 'trash',
    at: 'trash',
    ready: ({ page }) =>
      page
        .getByRole('listitem')
        .filter({ has: page.getByRole('checkbox') })
        .first(),
    shows: [
      { name: 'empty the trash', from: button('trash.empty'), key: 'Enter' },
      { name: 'delete from the trash', from: button('trash.removeOne', { name: 'old.txt' }), key: 'Enter' },
    ],
  },
]

export const ENTRY_SCREENS: readonly Screen[] = [
  { name: 'entries', at: 'files/', ready: letter, isKnown: true, shows: ofEntries },
  {
    name: 'two chosen',
    at: 'files/',
    ready: letter,
    isKnown: true,
    first: async ({ page }) => {
      for (const name of ['letter.txt', 'notes.md'])
        await page.locator(`[data-entry="${name}"] [type=checkbox]`).click()
    },
    shows: [
      { name: 'copy two', from: letter, key: MENU, item: 'actions.copyTo', then: chooseAlbum, inside: [takenNames] },
    ],
  },
]
