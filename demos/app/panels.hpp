// Panels beside the scene: what the demo is about, signals over time, contacts, and where the time goes.
#pragma once

#include "demos/app/ui.hpp"
#include "demos/session/session.hpp"

namespace demos::app {

// Each draws itself with its upper left corner at (x, y) and gives its height; all lengths in those of Ui.
float about_panel(Ui& ui, Session& session, float x, float y, float w);  // also the sliders of the parameters
float plot_panel(Ui& ui, Session& session, float x, float y, float w, bool energies);
float contacts_panel(Ui& ui, const Session& session, float x, float y, float w, int lines);
float profiler_panel(Ui& ui, Session& session, float x, float y, float w);  // also buttons for the workers
void error_panel(Ui& ui, const std::string& error);
void help_panel(Ui& ui);

}  // namespace demos::app
