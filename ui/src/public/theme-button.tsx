import { useText } from '../i18n/use-text.tsx'
import { IconButton } from '../kit/button/button.tsx'
import { useTheme } from '../kit/contexts.ts'
import { useStore } from '../lib/create-store.ts'
import { useMediaQuery } from '../lib/use-media-query.ts'

/** Turns from light to dark and back; until then the page follows the system. */
export function ThemeButton() {
  const t = useText()
  const theme = useTheme()
  const choice = useStore(theme.choice)
  const systemIsDark = useMediaQuery('(prefers-color-scheme: dark)')
  const dark = choice === 'dark' || (choice === 'system' && systemIsDark)
  return (
    <IconButton
      icon={dark ? 'sun' : 'moon'}
      label={t(dark ? 'public.turnLight' : 'public.turnDark')}
      onClick={() => theme.choose(dark ? 'light' : 'dark')}
    />
  )
}
