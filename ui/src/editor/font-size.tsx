import { useText } from '../i18n/use-text.tsx'
import { IconButton } from '../kit/button/button.tsx'
import { useStore, type Store } from '../lib/create-store.ts'
import styles from './editor.module.css'
import { withFontSize, type EditorSettings } from './model/editor-settings.ts'

export function FontSize({ settings }: { readonly settings: Store<EditorSettings> }) {
  const t = useText()
  const { fontSize } = useStore(settings)
  const change = (step: number) => (): void => settings.set((before) => withFontSize(before, step))
  return (
    <div className={styles['stepper']} role="group" aria-label={t('editor.fontSize')}>
      <IconButton icon="minus" label={t('editor.fontSmaller')} disabled={fontSize <= 1} onClick={change(-1)} />
      <output aria-label={t('editor.fontSize')}>{fontSize}</output>
      <IconButton icon="plus" label={t('editor.fontLarger')} onClick={change(1)} />
    </div>
  )
}
