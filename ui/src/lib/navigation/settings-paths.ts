export type SettingsPath =
  `/settings/${'profile' | 'security' | 'shares' | 'global' | 'sign-in' | 'roots' | 'users' | 'groups' | 'activity'}`

interface Grants {
  readonly admin: boolean
  readonly share: boolean
  readonly download: boolean
}

const ADMINISTRATION = [
  '/settings/global', '/settings/sign-in', '/settings/roots', '/settings/users', '/settings/groups', '/settings/activity',
] as const // prettier-ignore

/** The settings pages that a user with these permissions may open, in the order of the menu. */
export function settingsPaths(perm: Grants | undefined): readonly SettingsPath[] {
  const isAdmin = perm?.admin === true
  return [
    '/settings/profile',
    '/settings/security',
    ...(perm?.share === true && perm.download ? (['/settings/shares'] as const) : []),
    ...(isAdmin ? ADMINISTRATION : []),
  ]
}

const GLOBAL_SECTIONS = [
  'accounts', 'new-users', 'branding', 'uploads', 'rules', 'files', 'hooks', 'webhooks', 'sessions', 'server', 'maintenance',
  'backup', 'cache',
] as const // prettier-ignore

export type GlobalSection = (typeof GLOBAL_SECTIONS)[number]

/** Sections of the global settings, each at `/settings/global/<section>`. Hooks only if commands are enabled. */
export function globalSections(withCommands: boolean): GlobalSection[] {
  return GLOBAL_SECTIONS.filter((section) => withCommands || section !== 'hooks')
}
