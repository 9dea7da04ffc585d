import { useText } from '../../i18n/use-text.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { useFilesPath } from '../../lib/use-files-path.ts'
import { useNavigateTo } from '../../lib/use-navigate-to.ts'
import { useWork } from '../../files/actions/late-work.tsx'
import type { PaletteSurroundings } from './use-palette-items.ts'

const PalettePrompt = lazyPrompt(async () => (await import('./palette-prompt.tsx')).PalettePrompt)

/** Opens the command palette by its keys, on every screen. */
export function PaletteHost({ pick }: Pick<PaletteSurroundings, 'pick'>) {
  const t = useText()
  const ask = usePrompt()
  const path = useFilesPath()
  const goTo = useNavigateTo()
  const work = useWork()
  const open = async () => {
    const chosen = await ask(PalettePrompt, { path, goTo, work, pick, offered: work.offered.get() })
    // Once the palette is gone and the focus is back where it was: what is run may open a prompt of its own.
    setTimeout(() => chosen?.run())
  }
  useShortcuts([{ keys: 'Ctrl+K', label: t('palette.title'), group: 'move', run: () => void open(), inFields: true }])
  return null
}
