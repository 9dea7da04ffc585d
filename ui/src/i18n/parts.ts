/**
 * The parts of a catalogue, each with its groups of messages. `first` is loaded before the page is drawn; `actions` and
 * `tools` are fetched right after it; a screen that needs another part waits for it.
 */
export const PARTS = {
  first: ['app', 'errors', 'files', 'kit', 'login', 'shell'],
  actions: ['actions', 'details', 'download', 'help', 'jobs', 'pwa', 'session', 'trash', 'uploads'],
  tools: ['conflict', 'editor', 'palette', 'pick', 'search', 'terminal', 'viewer'],
  settings: ['devices', 'password', 'profile', 'settings'],
  shares: ['shares'],
  users: ['permissions', 'rules', 'users', 'why'],
  fields: ['fields', 'form'],
  admin: ['audit', 'backup', 'branding', 'global', 'hooks', 'server', 'signin', 'tus'],
  public: ['public'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type TextPart = keyof typeof PARTS
