import { useUser } from '../api/session-context.tsx'
import { useTheme } from '../kit/contexts.ts'
import { useStore } from '../lib/create-store.ts'
import { editorThemeName } from '../lib/editor-themes.ts'
import { useMediaQuery } from '../lib/use-media-query.ts'

/** The colours of the text: those of the user, else such that fit the page as it is now. Forced colours are the system's. */
export function useAceThemeName(): string {
  const choice = useStore(useTheme().choice)
  const darkSystem = useMediaQuery('(prefers-color-scheme: dark)')
  const forced = useMediaQuery('(forced-colors: active)')
  const wanted = useUser()?.aceEditorTheme ?? ''
  const dark = choice === 'system' || forced ? darkSystem : choice === 'dark'
  return `ace/theme/${editorThemeName(forced ? '' : wanted, dark)}`
}
