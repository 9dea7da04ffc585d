/**
 * Parts of a catalogue, each with its message groups. `first` is loaded before the page renders, `actions` and `tools`
 * right after it. Screens that need other parts wait for them.
 */
export const PARTS = {
  first: ['app', 'errors', 'files', 'kit', 'login', 'maintenance', 'shell'],
  actions: ['actions', 'details', 'download', 'help', 'jobs', 'problems', 'pwa', 'session', 'trash', 'uploads'],
  tools: [
    'archive',
    'conflict',
    'crop',
    'editor',
    'look',
    'palette',
    'pick',
    'places',
    'rename',
    'search',
    'storage',
    'terminal',
    'viewer',
  ],
  settings: ['devices', 'password', 'profile', 'settings', 'tokens'],
  security: ['security'],
  factor: ['factor'],
  shares: ['shares'],
  notices: ['notices'],
  groups: ['groups'],
  roots: ['roots'],
  users: ['permissions', 'rules', 'users', 'why'],
  fields: ['fields', 'form'],
  admin: ['audit', 'backup', 'branding', 'global', 'hooks', 'server', 'signin', 'tus', 'webhooks'],
  public: ['public'],
  ways: ['ways'],
  providers: ['providers'],
  directories: ['directories'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type TextPart = keyof typeof PARTS
