import { NO_PERMISSIONS } from '../../domain/permissions.ts'
import { DEFAULT_SORTING } from '../../domain/sorting.ts'
import type { Examples } from './operation-example.ts'

const FIELDS = {
  username: 'ann',
  lockPassword: false,
  rules: [],
  scope: '/users/ann',
  perm: { ...NO_PERMISSIONS, create: true, modify: true, download: true },
  commands: [],
  locale: 'en',
  viewMode: 'mosaic',
  singleClick: false,
  redirectAfterCopyMove: true,
  sorting: DEFAULT_SORTING,
  hideDotfiles: false,
  dateFormat: false,
  aceEditorTheme: '',
} as const

const ANN = { id: 2, ...FIELDS, password: '' } as const
const WRITE = 'Changes of accounts carry the password of the one who makes them, as `current_password`.'
const OWN_PASSWORD = 'correct horse battery staple'

export const USER_EXAMPLES: Examples = {
  'users.list': { replies: { 200: { value: [ANN] } } },
  'users.get': { params: { id: '2' }, replies: { 200: { value: ANN } } },
  'users.create': {
    description: `${WRITE} Fields that are left out begin as the settings say.`,
    body: {
      what: 'user',
      which: [],
      current_password: OWN_PASSWORD,
      data: { ...FIELDS, password: 'eight early otters' },
    },
    replies: {
      201: { headers: { Location: { description: 'of the user', example: '/settings/users/2' } } },
      409: { description: 'The name is taken' },
    },
  },
  'users.update': {
    description: `${WRITE} \`which\` names the fields; \`["all"]\` means all of \`data\`. Oneself may change preferences only.`,
    params: { id: '2' },
    body: { what: 'user', which: ['locale'], data: { id: 2, locale: 'de' } },
  },
  'users.delete': {
    description: `${WRITE} The files stay.`,
    params: { id: '2' },
    body: { current_password: OWN_PASSWORD },
    replies: { 403: { description: 'Not permitted, or the last administrator' } },
  },
}
