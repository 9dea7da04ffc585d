import { Tooltip as Primitive } from 'radix-ui'
import styles from './tooltip.module.css'

interface TooltipProps {
  target: HTMLElement
  text: string
  onClose: () => void
}

export function Tooltip({ target, text, onClose }: TooltipProps) {
  const { left, top, width, height } = target.getBoundingClientRect()
  return (
    <Primitive.Provider>
      <Primitive.Root open onOpenChange={(open) => open || onClose()}>
        <Primitive.Trigger asChild>
          <span aria-hidden="true" style={{ position: 'fixed', pointerEvents: 'none', left, top, width, height }} />
        </Primitive.Trigger>
        <Primitive.Portal>
          <Primitive.Content className={styles['tooltip']} sideOffset={6} collisionPadding={8} aria-hidden="true">
            {text}
          </Primitive.Content>
        </Primitive.Portal>
      </Primitive.Root>
    </Primitive.Provider>
  )
}
