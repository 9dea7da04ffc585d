import { Type, type Static } from 'typebox'
import { AUTH_METHODS, CaptchaSettings, SignInSettings } from './auth-method.ts'
import { HOOK_EVENTS, HookLimits, MOST_HOOKS } from './hook.ts'
import { MOST_RULES, Rule } from './rule.ts'
import { UserDefaults } from './user.ts'

const Branding = Type.Object(
  {
    name: Type.String({ default: '', maxLength: 100, title: 'Name', description: 'Shown in place of "filemgr"' }),
    disableExternal: Type.Boolean({ default: false, title: 'Hide links to other sites' }),
    disableUsedPercentage: Type.Boolean({ default: false, title: 'Hide the storage bar' }),
    files: Type.String({
      default: '',
      maxLength: 4096,
      title: 'Branding folder',
      description: 'Holds custom.css and img/',
    }),
    theme: Type.Enum(['', 'light', 'dark'], { default: '', title: 'Theme' }),
    color: Type.String({
      default: '',
      pattern: '^(#[0-9A-Fa-f]{3,8})?$',
      title: 'Colour of the browser frame',
      'x-filemgr': { widget: 'color', example: '#2979ff' },
    }),
  },
  { title: 'Branding', 'x-filemgr': { group: 'Branding' } },
)

const ResumableUploads = Type.Object(
  {
    chunkSize: Type.Integer({ default: 10_485_760, minimum: 1, title: 'Chunk size', 'x-filemgr': { widget: 'bytes' } }),
    retryCount: Type.Integer({ default: 5, minimum: 0, maximum: 65_535, title: 'Retries' }),
  },
  { title: 'Resumable uploads', 'x-filemgr': { group: 'Uploads' } },
)

const hookLines = Type.Array(Type.String({ maxLength: 4096 }), { default: [], maxItems: MOST_HOOKS })

/** The settings that the wire contract shows, in its order. */
export const WireSettings = Type.Object({
  signup: Type.Boolean({ default: false, title: 'Allow sign-up', 'x-filemgr': { group: 'Accounts', short: 's' } }),
  hideLoginButton: Type.Boolean({
    default: true,
    title: 'Hide the sign-in button on public pages',
    'x-filemgr': { group: 'Accounts' },
  }),
  createUserDir: Type.Boolean({
    default: false,
    title: 'Create a home folder for each new user',
    'x-filemgr': { group: 'Accounts' },
  }),
  minimumPasswordLength: Type.Integer({
    default: 12,
    minimum: 1,
    maximum: 1024,
    title: 'Minimum password length',
    'x-filemgr': { group: 'Accounts' },
  }),
  userHomeBasePath: Type.String({
    default: '/users',
    maxLength: 4096,
    title: 'Folder of the home folders',
    'x-filemgr': { group: 'Accounts', widget: 'folder' },
  }),
  defaults: UserDefaults,
  authMethod: Type.Enum(AUTH_METHODS, {
    default: 'json',
    title: 'Sign-in method',
    'x-filemgr': { group: 'Sign-in' },
  }),
  rules: Type.Array(Rule, {
    default: [],
    maxItems: MOST_RULES,
    title: 'Rules for everybody',
    'x-filemgr': { group: 'Rules', widget: 'rules', cli: false },
  }),
  branding: Branding,
  tus: ResumableUploads,
  shell: Type.Array(Type.String({ maxLength: 256 }), {
    default: [],
    maxItems: 32,
    title: 'Shell',
    description: 'Kept for old clients and never used: commands run without a shell',
    'x-filemgr': { group: 'Commands', widget: 'words' },
  }),
  commands: Type.Record(Type.String({ pattern: '^[a-z_]{1,64}$' }), hookLines, {
    default: Object.fromEntries(HOOK_EVENTS.map((event) => [event, []])),
    title: 'Hooks',
    'x-filemgr': { group: 'Commands', widget: 'lines', cli: false },
  }),
})
export type WireSettings = Static<typeof WireSettings>

/** Settings of ours that the old wire object does not carry. */
const OwnSettings = Type.Object({
  auth: SignInSettings,
  recaptcha: CaptchaSettings,
  logoutPage: Type.String({
    default: '/login',
    maxLength: 1024,
    title: 'Page after signing out',
    'x-filemgr': { group: 'Sign-in' },
  }),
  sessionMaxAge: Type.String({
    default: '30d',
    title: 'Sign in again after',
    description: 'A session ends this long after the sign-in, however often it was renewed',
    'x-filemgr': { group: 'Sign-in', widget: 'duration' },
  }),
  fileMode: Type.Integer({
    default: 0o640,
    minimum: 0,
    maximum: 0o777,
    title: 'Mode of new files',
    'x-filemgr': { group: 'Files', widget: 'mode' },
  }),
  dirMode: Type.Integer({
    default: 0o750,
    minimum: 0,
    maximum: 0o777,
    title: 'Mode of new folders',
    'x-filemgr': { group: 'Files', widget: 'mode' },
  }),
  hookLimits: Type.Array(HookLimits, {
    default: [],
    maxItems: 1000,
    title: 'Limits of hooks',
    description: 'Time and failure of those hooks that differ from the others',
    'x-filemgr': { group: 'Commands', cli: false },
  }),
  trash: Type.Object(
    {
      days: Type.Integer({
        default: 30,
        minimum: 0,
        maximum: 3650,
        title: 'Days in the trash',
        description: 'What was moved to the trash goes for good after so many days; 0 switches the trash off',
        'x-filemgr': { group: 'Files' },
      }),
    },
    { title: 'Trash' },
  ),
})

const { auth: _ways, recaptcha: _captcha, ...openOwn } = OwnSettings.properties

/** All but the details of signing in, which hold a secret and are changed with more care. */
export const OpenSettings = Type.Object({ ...WireSettings.properties, ...openOwn }, { title: 'Settings' })
export type OpenSettings = Static<typeof OpenSettings>

/** Live settings: a change acts at once, without a restart. */
export const Settings = Type.Object({ ...WireSettings.properties, ...OwnSettings.properties }, { title: 'Settings' })
export type Settings = Static<typeof Settings>
