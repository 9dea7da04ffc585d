import { useText } from '../../i18n/use-text.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { useShortcuts } from '../../kit/keyboard/shortcuts.tsx'

const HelpPrompt = lazyPrompt(async () => (await import('./help-prompt.tsx')).HelpPrompt)

export function useHelp(): void {
  const t = useText()
  const ask = usePrompt()
  const openHelp = () => void ask(HelpPrompt, {})
  useShortcuts([
    { keys: 'F1', label: t('help.title'), group: 'act', icon: 'help', run: openHelp, inFields: true },
    { keys: '?', label: t('help.title'), group: 'act', run: openHelp },
  ])
}
