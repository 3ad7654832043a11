// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// Anybody may mint: test tokens.
abstract contract OpenToken is ERC20 {
    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 value) external {
        _mint(to, value);
    }
}

/// Keeps 1 % of each transfer: the recipient gets less than was sent.
contract FeeToken is OpenToken {
    address public constant COLLECTOR = address(0xFEE);

    constructor() ERC20("Fee Token", "FEE") {}

    function _update(address from, address to, uint256 value) internal override {
        if (from == address(0) || to == address(0)) {
            super._update(from, to, value);
            return;
        }
        uint256 fee = value / 100;
        super._update(from, COLLECTOR, fee);
        super._update(from, to, value - fee);
    }
}

/// Refuses each transfer while it is closed; minting works.
contract RefusingToken is OpenToken {
    error Closed();

    bool public isClosed = true;

    constructor() ERC20("Refusing Token", "NOPE") {}

    function setClosed(bool isClosed_) external {
        isClosed = isClosed_;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(from == address(0) || !isClosed, Closed());
        super._update(from, to, value);
    }
}

/// Answers false where others revert: the transaction succeeds and nothing has moved.
contract FalseToken is OpenToken {
    constructor() ERC20("False Token", "FALSE") {}

    function transfer(address to, uint256 value) public override returns (bool) {
        if (balanceOf(msg.sender) < value) return false;
        return super.transfer(to, value);
    }

    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (balanceOf(from) < value || allowance(from, msg.sender) < value) return false;
        return super.transferFrom(from, to, value);
    }
}

/// Answers nothing at all, as USDT does on Ethereum.
contract SilentToken {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    string public constant name = "Silent Token";
    string public constant symbol = "SILENT";
    uint8 public constant decimals = 6;
    uint256 public totalSupply;
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external {
        _move(msg.sender, to, value);
    }

    function approve(address spender, uint256 value) external {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
    }

    function _move(address from, address to, uint256 value) private {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// Says that money has come, and it has not: a Transfer log of a token that nobody has listed.
contract LyingToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    function lie(address from, address to, uint256 value) external {
        emit Transfer(from, to, value);
    }
}
