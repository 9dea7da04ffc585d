const PATHS = [
  '/settings/profile',
  '/settings/shares',
  '/settings/global',
  '/settings/users',
  '/settings/activity',
] as const

export type SettingsPath = (typeof PATHS)[number]

interface Grants {
  readonly admin: boolean
  readonly share: boolean
  readonly download: boolean
}

/** The settings pages that a user with these permissions may open, in the order of the menu. */
export function settingsPaths(perm: Grants | undefined): readonly SettingsPath[] {
  const may: Readonly<Record<SettingsPath, boolean>> = {
    '/settings/profile': true,
    '/settings/shares': perm?.share === true && perm.download,
    '/settings/global': perm?.admin === true,
    '/settings/users': perm?.admin === true,
    '/settings/activity': perm?.admin === true,
  }
  return PATHS.filter((path) => may[path])
}

const GLOBAL_SECTIONS = [
  'accounts',
  'new-users',
  'branding',
  'uploads',
  'rules',
  'files',
  'hooks',
  'webhooks',
  'sessions',
  'sign-in',
  'server',
  'maintenance',
  'backup',
  'cache',
] as const

export type GlobalSection = (typeof GLOBAL_SECTIONS)[number]

/** Sections of the global settings, each at `/settings/global/<section>`. Hooks only if commands are enabled. */
export function globalSections(withCommands: boolean): GlobalSection[] {
  return GLOBAL_SECTIONS.filter((section) => withCommands || section !== 'hooks')
}
