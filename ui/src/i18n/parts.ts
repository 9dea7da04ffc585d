/**
 * The parts of a catalogue, each with its groups of messages. `first` is there before the page is drawn; `work` and `later`
 * follow by themselves; the screens that need one of the others wait for it.
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
