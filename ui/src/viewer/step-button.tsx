import type { Resource } from '../../../src/domain/resource.ts'
import { useText } from '../i18n/use-text.tsx'
import { IconButton } from '../kit/button/button.tsx'

interface StepButtonProps {
  readonly step: -1 | 1
  readonly entry: Resource | null
  readonly className?: string | undefined
  /** Keeps its place where it leads nowhere. */
  readonly stays?: boolean
  readonly onShow: (entry: Resource) => void
}

/** Leads to the file before or after the one shown. */
export function StepButton({ step, entry, className, stays = false, onShow }: StepButtonProps) {
  const t = useText()
  if (entry === null && !stays) return null
  return (
    <IconButton
      className={className}
      data-chrome=""
      icon={step < 0 ? 'left' : 'right'}
      flipIcon
      label={t(step < 0 ? 'viewer.previous' : 'viewer.next')}
      disabled={entry === null}
      onClick={() => entry && onShow(entry)}
    />
  )
}
