import { formOf, type FormField } from '../../../../../src/domain/forms.ts'
import { OpenSettings } from '../../../../../src/domain/settings.ts'

/** Sections of the page that edit the settings themselves, and the fields of each. */
const SECTIONS = {
  accounts: ['signup', 'createUserDir', 'userHomeBasePath', 'minimumPasswordLength', 'hideLoginButton'],
  newUsers: ['defaults.*'],
  files: ['fileMode', 'dirMode', 'trash.*'],
  uploads: ['tus.*'],
  branding: ['branding.*'],
  rules: ['rules'],
  commands: ['shell'],
  sessions: ['sessionMaxAge', 'logoutPage'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type SectionName = keyof typeof SECTIONS

/** Where nobody can run commands there is nothing to set about them. */
const ONLY_WITH_COMMANDS = ['defaults.perm.execute', 'defaults.commands', 'shell']

const FIELDS = formOf(OpenSettings).flatMap(({ fields }) => fields)

/** The fields of a section, in its order. A new setting of the same object is among them by itself. */
export function fieldsOf(section: SectionName, withCommands: boolean): FormField[] {
  return SECTIONS[section].flatMap((pattern) =>
    FIELDS.filter(({ key }) => isMeant(pattern, key) && (withCommands || !ONLY_WITH_COMMANDS.includes(key))),
  )
}

/** All of them: what differs between the saved settings and the edited ones is looked for here. */
export const SETTINGS_FIELDS: readonly FormField[] = (Object.keys(SECTIONS) as SectionName[]).flatMap((section) =>
  fieldsOf(section, true),
)

function isMeant(pattern: string, key: string): boolean {
  return pattern.endsWith('*') ? key.startsWith(pattern.slice(0, -1)) : key === pattern
}
