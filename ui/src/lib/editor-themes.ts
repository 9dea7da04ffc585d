/** Colour themes of the text editor: label, and name as stored in the account. */
export interface EditorTheme {
  readonly caption: string
  readonly name: string
  readonly dark: boolean
}

const LIGHT = [
  'Chrome', 'Clouds', 'CloudEditor', 'Crimson Editor', 'Dawn', 'Dreamweaver', 'Eclipse', 'GitHub', 'GitHub Light Default',
  'IPlastic', 'KatzenMilch', 'Kuroir', 'Solarized Light', 'SQL Server', 'TextMate', 'Tomorrow', 'XCode',
] // prettier-ignore
const DARK = [
  'Ambiance', 'Chaos', 'CloudEditor Dark', 'Clouds Midnight', 'Cobalt', 'Dracula', 'GitHub Dark', 'Green on Black',
  'Gruvbox', 'idle Fingers', 'krTheme', 'Merbivore', 'Merbivore Soft', 'Mono Industrial', 'Monokai', 'Nord Dark',
  'One Dark', 'Pastel on dark', 'Solarized Dark', 'Terminal', 'Tomorrow Night', 'Tomorrow Night 80s',
  'Tomorrow Night Blue', 'Tomorrow Night Bright', 'Twilight', 'Vibrant Ink',
] // prettier-ignore

/** Themes whose name is not their caption with underscores. */
const NAMES: Readonly<Record<string, string>> = {
  CloudEditor: 'cloud_editor',
  'CloudEditor Dark': 'cloud_editor_dark',
  'SQL Server': 'sqlserver',
  'Green on Black': 'gob',
  krTheme: 'kr_theme',
  'Tomorrow Night 80s': 'tomorrow_night_eighties',
}

/** Light themes first. */
export const EDITOR_THEMES: readonly EditorTheme[] = [
  ...LIGHT.map((caption) => ({ caption, name: nameOf(caption), dark: false })),
  ...DARK.map((caption) => ({ caption, name: nameOf(caption), dark: true })),
]

/** The chosen theme if it exists; otherwise the default for a light or dark page. */
export function editorThemeName(chosen: string, darkPage: boolean): string {
  const isKnown = EDITOR_THEMES.some(({ name }) => name === chosen)
  return isKnown ? chosen : darkPage ? 'twilight' : 'chrome'
}

function nameOf(caption: string): string {
  return NAMES[caption] ?? caption.toLowerCase().replaceAll(' ', '_')
}
