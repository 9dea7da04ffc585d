import { checkEveryScreen } from '../../helpers/browser/screens/every-screen.ts'
import { VISITOR_SCREENS } from '../../helpers/browser/screens/visitor-screens.ts'

checkEveryScreen(VISITOR_SCREENS, { signsIn: false })
