import type { PlaceView } from '../../../../src/domain/accounts/place.ts'
import { intercept } from '../intercept.ts'
import { type Act, type Find, MENU, type Screen } from './screen.ts'

/** Places of three kinds, of which the administrator has one in truth. */
const givePlaces: Act = async ({ page, daemon }) => {
  const place = { root: 'files', scope: '/album', name: 'Album', rules: [], permissionRules: [] }
  const change = {
    what: 'user',
    which: ['places'],
    current_password: daemon.password,
    data: { id: 1, places: [place] },
  }
  await daemon.fetch('/api/users/1', { method: 'PUT', body: JSON.stringify(change) })
  const permissions = { download: true, create: true, modify: true, rename: true, delete: true, share: true }
  const here = { kind: 'folder', isOwn: false, state: 'here', readOnly: false, permissions } as const
  const places: readonly PlaceView[] = [
    { ...here, name: 'Home', path: '/Home', isOwn: true, total: 2e12, free: 4e11 },
    { ...here, name: 'Album', path: '/Album', permissions: { ...permissions, delete: false }, total: 2e12, free: 4e11 },
    { ...here, name: 'Archive', path: '/Archive', kind: 'bucket', readOnly: true },
    { ...here, name: 'USB backup', path: '/USB backup', state: 'away' },
  ]
  await intercept(page, '**/api/places', async (route) => await route.fulfill({ json: places }))
  const error = { code: 'UNAVAILABLE', message: 'the root "USB backup" is away', details: {} }
  await intercept(page, '**/api/resources/USB%20backup**', async (route) => {
    await route.fulfill({ status: 503, json: { error } })
  })
}

const place =
  (name: string): Find =>
  ({ page }) =>
    page.getByRole('row', { name: new RegExp(`^${name}`) })

/** The account has them from then on. */
export const PLACE_SCREENS: readonly Screen[] = [
  {
    name: 'all places',
    before: givePlaces,
    at: 'files/',
    ready: place('USB backup'),
    shows: [
      { name: 'menu of a place', from: place('Album'), key: MENU },
      { name: 'menu of a place that is away', from: place('USB backup'), key: MENU },
    ],
  },
  {
    name: 'a place that is away',
    at: 'files/USB%20backup/',
    ready: ({ page, text }) => page.getByRole('heading', { name: text('errors.away', { name: 'USB backup' }) }),
  },
]
