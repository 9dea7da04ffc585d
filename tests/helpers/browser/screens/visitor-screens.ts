import { PASSPHRASE } from '../pages/users-page.ts'
import { button, entry, field, MENU, type Find, type Screen } from './screen.ts'

const link =
  (name: string, rest = '') =>
  ({ links }: Parameters<Find>[0]): string =>
    `share/${links[name] ?? ''}${rest}`

export const VISITOR_SCREENS: readonly Screen[] = [
  {
    name: 'sign in',
    at: 'login',
    ready: button('login.submit'),
    first: async (stage) => {
      await button('login.submit')(stage).click()
      await stage.page.getByText(stage.text('login.usernameMissing')).waitFor()
    },
    leavesNothing: true,
  },
  {
    name: 'refused by a provider',
    at: 'login#problem=providerRefused&provider=example-sso',
    ready: ({ page, text }) => page.getByText(text('ways.details')),
  },
  {
    name: 'signed out',
    at: 'login?logout-reason=inactivity',
    ready: ({ page, text }) => page.getByText(text('login.reasonInactivity')),
  },
  {
    name: 'sign up',
    at: 'login?mode=signup',
    ready: button('login.signUpSubmit'),
    first: async (stage) => await field('login.password')(stage).fill('qwertyuiop'),
    leavesNothing: true,
  },
  {
    name: 'second step with a wrong code',
    at: 'login',
    ready: button('login.submit'),
    first: async (stage) => {
      await field('login.username')(stage).fill('ben')
      await field('login.password')(stage).fill(PASSPHRASE)
      await button('login.submit')(stage).click()
      await field('factor.code')(stage).fill('000000')
      await button('factor.continue')(stage).click()
      await stage.page.getByText(stage.text('factor.wrongCode')).waitFor()
    },
  },
  {
    name: 'shared folder',
    at: link('folder'),
    ready: entry('letter.txt'),
    shows: [
      {
        name: 'archives of a visitor',
        from: ({ page }) => page.locator('[aria-haspopup=menu]').first(),
        key: 'Enter',
      },
      {
        name: 'selection of a visitor',
        from: entry('letter.txt'),
        key: 'Control+a',
        ready: ({ page, text }) => page.getByRole('toolbar', { name: text('files.selectionActions'), exact: true }),
        inside: [
          { name: 'menu of what a visitor chose', from: entry('letter.txt'), key: MENU },
          { name: 'archive for a visitor', from: button('public.downloadAs'), key: 'Enter' },
        ],
      },
    ],
  },
  {
    name: 'shared folder with a README',
    at: link('folder', '/one/'),
    ready: ({ page }) => page.getByRole('heading', { name: 'Read me' }),
  },
  {
    name: 'file of a shared folder',
    at: link('folder', '/letter.txt'),
    ready: ({ page }) => page.getByRole('article'),
  },
  { name: 'shared picture', at: link('picture'), ready: ({ page }) => page.getByRole('article') },
  {
    name: 'picture for a visitor',
    at: link('picture', '?view=true'),
    ready: ({ page, text }) =>
      page
        .getByRole('region', { name: text('viewer.viewer') })
        .getByRole('img')
        .first(),
  },
  {
    name: 'link with a password',
    at: link('guarded'),
    ready: button('public.openShare'),
    first: async ({ page, text }) => {
      await page.getByLabel(text('login.password'), { exact: true }).fill('wrong')
      await page.keyboard.press('Enter')
      await page.getByText(text('public.wrongPassword')).waitFor()
    },
    leavesNothing: true,
  },
  { name: 'link to nothing', at: 'share/nothing', ready: ({ page, text }) => page.getByText(text('public.goneTitle')) },
]
