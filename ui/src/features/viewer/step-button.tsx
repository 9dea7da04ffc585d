import type { Resource } from '../../../../src/domain/resource.ts'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/icon-button.tsx'

interface StepButtonProps {
  readonly step: -1 | 1
  readonly entry: Resource | null
  readonly className?: string | undefined
  readonly onShow: (entry: Resource) => void
}

/** Leads to the file before or after the one shown; nothing where there is none. */
export function StepButton({ step, entry, className, onShow }: StepButtonProps) {
  const t = useText()
  if (entry === null) return null
  return (
    <IconButton
      className={className}
      data-chrome=""
      icon={step < 0 ? 'left' : 'right'}
      flipIcon
      label={t(step < 0 ? 'viewer.previous' : 'viewer.next')}
      onClick={() => onShow(entry)}
    />
  )
}
