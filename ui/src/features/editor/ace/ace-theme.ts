import { themesByName } from 'ace-builds/src-noconflict/ext-themelist'

/** The theme that the user has chosen; twilight or chrome, as the page is, for a name that there is not. */
export function aceThemeOf(wanted: string, darkPage: boolean): string {
  const chosen = Object.hasOwn(themesByName, wanted) ? themesByName[wanted] : undefined
  return chosen?.theme ?? `ace/theme/${darkPage ? 'twilight' : 'chrome'}`
}
