/**
 * The parts of a catalogue, and the groups of messages in each. What no other part holds is in `first`, which comes before
 * the page is drawn. Those of `AT_ONCE` follow by themselves; the others are fetched by the screens that need them.
 */
export const PARTS = {
  first: ['app', 'errors', 'files', 'kit', 'login', 'shell'],
  work: ['details', 'download', 'help', 'jobs', 'pwa', 'session', 'trash', 'uploads', 'work'],
  later: ['conflict', 'editor', 'palette', 'pick', 'search', 'terminal', 'viewer'],
  settings: ['devices', 'password', 'profile', 'settings'],
  shares: ['shares'],
  users: ['permissions', 'rules', 'users', 'why'],
  fields: ['fields', 'form'],
  admin: ['audit', 'backup', 'branding', 'global', 'hooks', 'server', 'signin', 'tus'],
  public: ['public'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type TextPart = keyof typeof PARTS
