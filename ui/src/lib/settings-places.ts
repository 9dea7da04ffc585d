const PLACES = ['/settings/profile', '/settings/shares', '/settings/global', '/settings/users'] as const

export type SettingsPlace = (typeof PLACES)[number]

interface Grants {
  readonly admin: boolean
  readonly share: boolean
  readonly download: boolean
}

/** The pages of settings that somebody with these permissions may open, in the order of the menu. */
export function settingsPlaces(perm: Grants | undefined): readonly SettingsPlace[] {
  const may: Readonly<Record<SettingsPlace, boolean>> = {
    '/settings/profile': true,
    '/settings/shares': perm?.share === true && perm.download,
    '/settings/global': perm?.admin === true,
    '/settings/users': perm?.admin === true,
  }
  return PLACES.filter((place) => may[place])
}
