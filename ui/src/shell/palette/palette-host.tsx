import { useText } from '../../i18n/use-text.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { useFilesPath, useNavigateTo } from '../../lib/navigation/navigation.tsx'
import { NO_REQUEST, valuesOf } from '../../files/search/search-request.ts'
import { useSearchAddress } from '../../files/search/use-search-address.ts'
import { useFileActions } from '../../files/actions/file-actions-context.tsx'
import { useKeyActions } from '../../files/actions/menus/use-selection-actions.ts'
import { TypingAhead, typeAhead } from '../../kit/dialog/typing-ahead.tsx'
import type { PalettePromptProps } from './palette-prompt.tsx'
import type { PaletteContext } from './use-palette-items.ts'

const PalettePrompt = lazyPrompt(async () => (await import('./palette-prompt.tsx')).PalettePrompt, Ahead)

function Ahead({ ahead, close }: PalettePromptProps) {
  return <TypingAhead ahead={ahead} label={useText()('palette.field')} icon="command" onClose={() => close()} />
}

/** Opens the command palette by its keys, on every screen. */
export function PaletteHost({ pick }: Pick<PaletteContext, 'pick'>) {
  const t = useText()
  const ask = usePrompt()
  const path = useFilesPath()
  const goTo = useNavigateTo()
  const address = useSearchAddress()
  const files = useFileActions()
  const actionsOf = useKeyActions()
  const search = (text: string) => {
    const request = { ...NO_REQUEST, text, everywhere: true }
    if (path === undefined) goTo(`/files/?${new URLSearchParams(valuesOf(request)).toString()}`)
    else {
      address.open()
      address.change(() => request)
    }
  }
  const open = async () => {
    const target = files.target.get()
    const offered = target === null ? [] : actionsOf(target)
    const chosen = await ask(PalettePrompt, { path, goTo, search, files, pick, offered, ahead: typeAhead() })
    // Waits until the palette has closed and returned the focus: the item may open a prompt itself.
    setTimeout(() => chosen?.run())
  }
  useShortcuts([{ keys: 'Ctrl+K', label: t('palette.title'), group: 'move', run: () => void open(), inFields: true }])
  return null
}
