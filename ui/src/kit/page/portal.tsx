import { type ReactNode, useState } from 'react'
import { createPortal } from 'react-dom'
import { createStore, type Store, useStore } from '../../lib/create-store.ts'
import { requiredContext } from '../../lib/hooks.ts'

/** Elements of the layout that screens and panels render into. */
type PortalName = 'title' | 'progress' | 'dock' | 'panels'

type Targets = Readonly<Partial<Record<PortalName, HTMLElement>>>

const [TargetsContext, useTargets] = requiredContext<Store<Targets>>('Portal')

export function PortalProvider({ children }: { children: ReactNode }) {
  const [targets] = useState(() => createStore<Targets>({}))
  return <TargetsContext value={targets}>{children}</TargetsContext>
}

interface PortalTargetProps {
  name: PortalName
  className?: string | undefined
}

/** An empty element that shows the children of every `Portal` to it. */
export function PortalTarget({ name, className }: PortalTargetProps) {
  const targets = useTargets()
  const [attach] = useState(() => (element: HTMLDivElement | null) => {
    targets.set((all) => {
      const { [name]: _removed, ...others } = all
      return element ? { ...others, [name]: element } : others
    })
  })
  return <div ref={attach} className={className} />
}

interface PortalProps {
  to: PortalName
  children: ReactNode
}

/** Renders its children in the layout, for as long as it is mounted. */
export function Portal({ to, children }: PortalProps) {
  const target = useStore(useTargets(), (all) => all[to])
  return target ? createPortal(children, target) : null
}
