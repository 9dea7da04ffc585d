import { Toolbar as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'

interface ToolbarProps {
  label: string
  className?: string | undefined
  children: ReactNode
}

/** One tab stop; arrows move between what is wrapped in `ToolbarItem`. */
export function Toolbar({ label, className, children }: ToolbarProps) {
  return (
    <Primitive.Root aria-label={label} className={className}>
      {children}
    </Primitive.Root>
  )
}

/** Wraps exactly one button of the kit. */
export function ToolbarItem({ children }: { children: ReactNode }) {
  return <Primitive.Button asChild>{children}</Primitive.Button>
}
