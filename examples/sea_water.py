"""How sea water answers more carbon: a chemical equilibrium that is found, and differentiated there.

Carbon dioxide that dissolves in the sea becomes carbonic acid, bicarbonate and carbonate. How much of each
there is follows from two numbers that mixing conserves, the dissolved carbon and the alkalinity, by
equations without a solution in closed form. `scipy.optimize.root` solves them for the acidity and the
pressure of the gas. What one wants to know are derivatives of the solution: the *Revelle factor*, by which
the pressure rises faster than the carbon, says how much more the sea can take up; the answer to warming is
measured at sea. They are exact, by the implicit function theorem, and so is the derivative of the Revelle
factor, which is a second derivative of the solution.

Equilibrium constants on the total scale, of A. G. Dickson, C. L. Sabine and J. R. Christian (editors),
"Guide to best practices for ocean CO2 measurements", PICES Special Publication 3 (2007), chapter 5. The
measured effect of warming, 4.23 % for each degree: T. Takahashi and others, "Seasonal variation of CO2 and
nutrients in the high-latitude surface oceans", Global Biogeochemical Cycles 7 (1993).

Run it with ``python examples/sea_water.py [folder for the picture]``.
"""

import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import root, root_scalar

from chainrules.ad import grad, jacobian

OUTPUT = Path(__file__).parent / "output"

# Of the surface of a warm sea: mol of charge in a kilogram, degrees Celsius, grams of salt in a kilogram.
ALKALINITY, TEMPERATURE, SALINITY = 2.3e-3, 18.0, 35.0
# The pressure of the gas in the air, in millionths of an atmosphere.
YEARS = {"1750": 280.0, "2020": 414.0, "2100, if nothing is done": 900.0}


def constants(temperature, salinity):
    """The solubility of the gas, and the equilibrium constants of carbonic and boric acid and of water."""
    T, S = temperature + 273.15, salinity
    root_S, log_T, ratio = np.sqrt(S), np.log(T), T / 100.0
    solubility = np.exp(
        93.4517 / ratio
        - 60.2409
        + 23.3585 * np.log(ratio)
        + S * (0.023517 - 0.023656 * ratio + 0.0047036 * ratio**2)
    )
    first = 10.0 ** -(3633.86 / T - 61.2172 + 9.67770 * log_T - 0.011555 * S + 0.0001152 * S**2)
    second = 10.0 ** -(471.78 / T + 25.9290 - 3.16967 * log_T - 0.01781 * S + 0.0001122 * S**2)
    boric = np.exp(
        (-8966.90 - 2890.53 * root_S - 77.942 * S + 1.728 * S * root_S - 0.0996 * S**2) / T
        + (148.0248 + 137.1942 * root_S + 1.62142 * S)
        - (24.4344 + 25.085 * root_S + 0.2474 * S) * log_T
        + 0.053105 * root_S * T
    )
    water = np.exp(
        148.9652
        - 13847.26 / T
        - 23.6521 * log_T
        + (118.67 / T - 5.977 + 1.0495 * log_T) * root_S
        - 0.01615 * S
    )
    return solubility, first, second, boric, water


def imbalance(unknowns, log_carbon, alkalinity, temperature, salinity):
    """How far the water is from its equilibrium, for the pH and the logarithm of the pressure."""
    solubility, first, second, boric, water = constants(temperature, salinity)
    hydrogen, dissolved = 10.0 ** -unknowns[0], solubility * np.exp(unknowns[1])
    bicarbonate = first * dissolved / hydrogen
    carbonate = second * bicarbonate / hydrogen
    borate = 4.157e-4 * salinity / 35.0 * boric / (boric + hydrogen)
    carbon = dissolved + bicarbonate + carbonate
    charge = bicarbonate + 2.0 * carbonate + borate + water / hydrogen - hydrogen
    return np.stack([np.log(carbon) - log_carbon, 1e3 * (charge - alkalinity)])


def equilibrium(log_carbon, alkalinity=ALKALINITY, temperature=TEMPERATURE, salinity=SALINITY):
    """The pH, and the logarithm of the pressure of the gas in atmospheres."""
    conditions = (log_carbon, alkalinity, temperature, salinity)
    return root(imbalance, [8.0, np.log(4e-4)], args=conditions, tol=1e-12).x


def revelle_factor(log_carbon):
    """By how many percent the pressure rises, if there is one percent more carbon."""
    return grad(lambda log_carbon: equilibrium(log_carbon)[1])(log_carbon)


def carbon_at(pressure):
    """The logarithm of the carbon that water holds under a pressure of the gas."""
    return root_scalar(
        lambda log_carbon: equilibrium(log_carbon)[1] - np.log(pressure), x0=-6.2, x1=-6.1, xtol=1e-12
    ).root


def draw(pressures, states, factors, path):
    """Show the acidity and the Revelle factor against the pressure."""
    figure = Figure(figsize=(9.0, 3.8), layout="constrained")
    axes = figure.subplots(1, 2)
    axes[0].plot(pressures, [pH for pH, _ in states], color="tab:blue")
    axes[1].plot(pressures, factors, color="tab:red")
    for place, name in zip(axes, ("pH", "Revelle factor"), strict=True):
        place.set_xlabel("carbon dioxide, millionths of an atmosphere")
        place.set_title(name)
        for year, pressure in YEARS.items():
            place.axvline(pressure, color="gray", linewidth=0.5)
            place.annotate(year.partition(",")[0], (pressure, place.get_ylim()[0]), color="gray")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def main(folder=OUTPUT):
    """Say how the water answers, and save the picture."""
    for year, pressure in YEARS.items():
        log_carbon = carbon_at(pressure * 1e-6)
        pH, factor, change = (
            equilibrium(log_carbon)[0],
            revelle_factor(log_carbon),
            grad(revelle_factor)(log_carbon),
        )
        print(
            f"{year}: pH {pH:.3f}, Revelle factor {factor:.2f}, "
            f"with 1 % more carbon {factor + 0.01 * change:.2f}"
        )

    log_carbon = carbon_at(YEARS["2020"] * 1e-6)
    conditions = np.array([log_carbon, ALKALINITY, TEMPERATURE, SALINITY])
    answers = jacobian(lambda conditions: equilibrium(*conditions))(conditions)
    scales = np.array([0.01, 0.01 * ALKALINITY, 1.0, 1.0])
    print("In 2020, the answers of the pH and of the pressure:")
    for place, name in enumerate(("1 % more carbon", "1 % more alkalinity", "1 degree", "1 gram of salt")):
        pH, pressure = answers[:, place] * scales[place]
        print(f"    to {name:20} {pH:+.4f}   {100.0 * pressure:+.2f} %")

    pressures = np.linspace(250.0, 1000.0, 20)
    carbons = [carbon_at(pressure * 1e-6) for pressure in pressures]
    picture = Path(folder) / "sea_water.png"
    draw(pressures, [equilibrium(x) for x in carbons], [revelle_factor(x) for x in carbons], picture)
    print(f"The acidity and the Revelle factor: {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
